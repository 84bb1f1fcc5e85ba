-- Protocol buffers, as far as authorization needs them: texts, numbers and messages by the number of their field.
local protobuf = {}

local char, byte, sub = string.char, string.byte, string.sub

local function varint(number)
  local parts = {}
  -- A negative number is ten bytes, as in all other writers.
  for _ = 1, 10 do
    local low = number & 0x7f
    number = number >> 7
    if number == 0 then
      parts[#parts + 1] = char(low)
      break
    end
    parts[#parts + 1] = char(low | 0x80)
  end
  return table.concat(parts)
end

function protobuf.text(field, value)
  if value == "" then return "" end
  return varint(field << 3 | 2) .. varint(#value) .. value
end

function protobuf.message(field, value)
  return varint(field << 3 | 2) .. varint(#value) .. value
end

function protobuf.number(field, value)
  if value == 0 then return "" end
  return varint(field << 3) .. varint(value)
end

local function read_varint(text, at)
  local value, shift = 0, 0
  while shift < 64 do
    local part = byte(text, at)
    if not part then return nil end
    value = value | (part & 0x7f) << shift
    at = at + 1
    if part < 0x80 then return value, at end
    shift = shift + 7
  end
  return nil
end

-- A list of {number, value}: a number or the bytes. Nil for what is no message.
function protobuf.read(text)
  local fields, at = {}, 1
  while at <= #text do
    local tag, value
    tag, at = read_varint(text, at)
    if not tag or tag >> 3 == 0 then return nil end
    local kind = tag & 7
    if kind == 0 then
      value, at = read_varint(text, at)
      if not value then return nil end
    elseif kind == 1 or kind == 5 then
      local length = kind == 1 and 8 or 4
      value = sub(text, at, at + length - 1)
      if #value ~= length then return nil end
      at = at + length
    elseif kind == 2 then
      local length
      length, at = read_varint(text, at)
      if not length or length < 0 or length > #text then return nil end
      value = sub(text, at, at + length - 1)
      if #value ~= length then return nil end
      at = at + length
    else
      return nil
    end
    fields[#fields + 1] = { tag >> 3, value }
  end
  return fields
end

-- The last one counts.
function protobuf.last(fields, number, kind)
  local found
  for _, field in ipairs(fields) do
    if field[1] == number and type(field[2]) == kind then found = field[2] end
  end
  return found
end

return protobuf
