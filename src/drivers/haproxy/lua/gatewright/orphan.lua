-- A HAProxy whose driver was killed would keep its ports from the next one, and nobody would tell it anything any more: it ends.
local orphan = {}

local parent = os.getenv("GATEWRIGHT_PARENT")

-- The fourth field; the second, in parentheses, may have anything in it.
local function parent_now()
  local file = io.open("/proc/self/stat", "r")
  if not file then return nil end
  local text = file:read("a")
  file:close()
  return string.match(text, "^.*%) %a (%d+)")
end

-- Asked for before any port is open: whoever kills the driver right after that is noticed all the same.
local is_child = parent ~= nil and parent_now() == parent

function orphan.watch()
  -- Where it is not a child of the driver from the beginning (checks), or there is nothing to read, nothing is watched.
  if not is_child then return end
  while true do
    core.sleep(1)
    local now = parent_now()
    if now and now ~= parent then os.exit(0) end
  end
end

return orphan
