-- Reads the driver's data: d<key><value>...e, l<value>...e, i<number>e, <length>:<bytes>. Every text says its own length,
-- so that no text can end before its end, whatever is in it.
local bencode = {}

local byte, find, sub = string.byte, string.find, string.sub

local function read(text, at)
  local kind = byte(text, at)
  if kind == 0x64 then -- d
    local result = {}
    at = at + 1
    while byte(text, at) ~= 0x65 do
      local key, value
      key, at = read(text, at)
      value, at = read(text, at)
      result[key] = value
    end
    return result, at + 1
  elseif kind == 0x6c then -- l
    local result, count = {}, 0
    at = at + 1
    while byte(text, at) ~= 0x65 do
      count = count + 1
      result[count], at = read(text, at)
    end
    return result, at + 1
  elseif kind == 0x69 then -- i
    local last = find(text, "e", at, true)
    return math.tointeger(tonumber(sub(text, at + 1, last - 1))), last + 1
  end
  local colon = find(text, ":", at, true)
  local length = tonumber(sub(text, at, colon - 1))
  return sub(text, colon + 1, colon + length), colon + length + 1
end

function bencode.decode(text)
  local value, after = read(text, 1)
  if after ~= #text + 1 then error("the data does not end where it should") end
  return value
end

return bencode
