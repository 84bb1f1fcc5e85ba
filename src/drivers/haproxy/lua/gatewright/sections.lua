-- By which name HAProxy knows a section: a backend that came into use while HAProxy runs has taken a spare one.
local sections = {}

local spares = Map.new(os.getenv("GATEWRIGHT_MAPS") .. "/sections.map", Map._str)

function sections.name_of(section)
  return spares:lookup(section) or section
end

return sections
