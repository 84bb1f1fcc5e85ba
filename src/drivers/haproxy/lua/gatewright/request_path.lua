-- The one path of a request: src/model/request-path.ts says what it is and why. What is refused gives nil.
local request_path = {}

local find, gsub, sub, char, upper = string.find, string.gsub, string.sub, string.char, string.upper

local function without_dot_segments(path)
  if not find(path, "/.", 1, true) then return path end
  local given, count = {}, 0
  for segment in string.gmatch(path .. "/", "([^/]*)/") do
    count = count + 1
    given[count] = segment
  end
  local kept, length = {}, 0
  -- The first is the empty text before the first slash.
  for position = 2, count do
    local segment = given[position]
    local is_dots = segment == "." or segment == ".."
    if segment == ".." and length > 0 then
      kept[length] = nil
      length = length - 1
    end
    if not is_dots then
      length = length + 1
      kept[length] = segment
    elseif position == count then
      length = length + 1
      kept[length] = ""
    end
  end
  return "/" .. table.concat(kept, "/")
end

local function normal_escape(digits)
  local character = char(tonumber(digits, 16))
  if find(character, "^[%w._~-]$") then return character end
  return nil
end

local function escape(character)
  return string.format("%%%02X", string.byte(character))
end

local function normal_segments(given)
  local _, percents = gsub(given, "%%", "")
  local _, escapes = gsub(given, "%%%x%x", "")
  if percents ~= escapes or find(given, "%00", 1, true) then return nil end
  local path = gsub(given, "%%(%x%x)", normal_escape)
  path = gsub(path, '["<>^`{|}]', escape)
  path = gsub(without_dot_segments(path), "//+", "/")
  local seen = gsub(gsub(path, "%%2[Ff]", "/"), "%%5[Cc]", "/")
  seen = gsub(seen, "%%3[Bb]", ";")
  if find(seen .. "/", "/%.%.?[/;]") then return nil end
  return path
end

-- Gives the path and what follows it (the query with its question mark, or nothing).
function request_path.normalize(target)
  if target == "*" then return "*", "" end
  if find(target, "[%z\1-\32\127-\255\\#]") then return nil end
  local first = string.byte(target)
  if first ~= 0x2f then
    local rest = string.match(target, "^%a[%w+.-]*://[^/?]*(.*)$")
    if not rest then return nil end
    target = string.byte(rest) == 0x2f and rest or "/" .. rest
  end
  local mark = find(target, "?", 1, true)
  local path = mark and sub(target, 1, mark - 1) or target
  local search = mark and sub(target, mark) or ""
  if find(path, '[%%"<>^`{|}]') or find(path, "/[/.]") then
    path = normal_segments(path)
    if not path then return nil end
  end
  return path, search
end

-- As paths are compared: hex digits of escapes in upper case.
function request_path.comparable(path)
  if not find(path, "%", 1, true) then return path end
  return (gsub(path, "%%%x%x", upper))
end

-- The first value of a query parameter, as it was sent; nil for none.
function request_path.query_value(search, name)
  local length = #search
  local start = 2
  while start <= length do
    local last = find(search, "&", start, true)
    last = last and last - 1 or length
    local name_end = start + #name - 1
    if name_end <= last and sub(search, start, name_end) == name then
      if name_end == last then return "" end
      if string.byte(search, name_end + 1) == 0x3d then return sub(search, name_end + 2, last) end
    end
    start = last + 2
  end
  return nil
end

local function without_trailing_slashes(text)
  return (gsub(text, "/+$", ""))
end

local function with_slash(text)
  return string.byte(text) == 0x2f and text or "/" .. text
end

-- src/model/path-change.ts
function request_path.change(path, change)
  if change.type == "full" then return with_slash(change.value) end
  local rest = sub(path, #without_trailing_slashes(change.prefix) + 1)
  if rest ~= "" then rest = with_slash(rest) end
  return with_slash(without_trailing_slashes(change.value) .. rest)
end

return request_path
