-- The driver's data, by the hash of its content. What a hash stands for never changes, so nobody needs to look twice;
-- what was read is kept by whoever asked. Which hash is in force is in HAProxy's maps, which the driver changes while
-- HAProxy runs.
local bencode = require("gatewright.bencode")

local store = {}

local folder = os.getenv("GATEWRIGHT_FOLDER")

function store.load(hash)
  local file = io.open(folder .. "/data/" .. hash, "rb")
  if not file then error("there is no data " .. hash) end
  local text = file:read("a")
  file:close()
  return bencode.decode(text)
end

-- The text of a file beside the data.
function store.secret(name)
  local file = io.open(folder .. "/" .. name, "rb")
  if not file then return nil end
  local text = file:read("a")
  file:close()
  return text
end

return store
