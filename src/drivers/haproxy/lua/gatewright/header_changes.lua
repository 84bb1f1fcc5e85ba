-- Headers on their way through: the API's order is remove, set, add.
local header_changes = {}

-- `set`, `add`, `del`: functions of (name, value).
local function apply(changes, del, set, add)
  for _, name in ipairs(changes.remove) do del(name) end
  for _, change in ipairs(changes.set) do set(change[1], change[2]) end
  for _, change in ipairs(changes.add) do add(change[1], change[2]) end
end

function header_changes.request(http, changes)
  if not changes then return end
  apply(
    changes,
    function(name) http:req_del_header(name) end,
    function(name, value) http:req_set_header(name, value) end,
    function(name, value) http:req_add_header(name, value) end
  )
end

function header_changes.response(http, changes)
  if not changes then return end
  apply(
    changes,
    function(name) http:res_del_header(name) end,
    function(name, value) http:res_set_header(name, value) end,
    function(name, value) http:res_add_header(name, value) end
  )
end

-- The same on a list of {name, value}.
function header_changes.list(list, changes)
  if not changes then return list end
  local result = list
  local function del(name)
    local kept = {}
    for _, field in ipairs(result) do
      if field[1] ~= name then kept[#kept + 1] = field end
    end
    result = kept
  end
  local function add(name, value) result[#result + 1] = { name, value } end
  apply(changes, del, function(name, value)
    del(name)
    add(name, value)
  end, add)
  return result
end

return header_changes
