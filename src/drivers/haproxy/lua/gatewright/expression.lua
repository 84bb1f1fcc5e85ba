-- Runs the programs of src/model/regular-expression over whole texts, in time linear to the text. HAProxy's own
-- expressions (PCRE) go back and try again: a client could pick a text that keeps them busy for minutes.
--
-- All ways through the program are followed at once: a state is the set of steps that wait for the next byte. States that
-- were seen are kept with those that follow them; when there are too many, all are forgotten and made anew as needed.
local expression = {}

local byte = string.byte
local take, split, assertion = 0, 1, 2 -- what is none of them accepts
-- In the states of one expression together, each counted with a few more for itself: a state may have hundreds of steps, and a route a hundred expressions.
local most_steps = 20000
local state_cost = 8

-- Kinds of bytes, as assertions tell them apart.
local none, newline, word, other = 0, 1, 2, 3

local function kind_of(code)
  if code == 10 then return newline end
  if (code >= 48 and code <= 57) or (code >= 65 and code <= 90) or code == 95 or (code >= 97 and code <= 122) then
    return word
  end
  return other
end

local holds = {
  ["text start"] = function(before) return before == none end,
  ["text end"] = function(_, after) return after == none end,
  ["line start"] = function(before) return before == none or before == newline end,
  ["line end"] = function(_, after) return after == none or after == newline end,
  ["word boundary"] = function(before, after) return (before == word) ~= (after == word) end,
  ["no word boundary"] = function(before, after) return (before == word) == (after == word) end,
}

-- `program`: steps as lists of what they do, their argument and where they lead; `classes`: of each byte its class;
-- `rows`: of each class, which of the program's sets have it.
function expression.compile(program)
  local operations, arguments, following = program.operations, program.arguments, program.next
  local assertions, classes, rows = program.assertions, program.classes, program.rows
  local has_assertions = #assertions > 0
  local states, kept = {}, 0

  -- Adds a step, and if it is a split what it leads to.
  local function reach(steps, marks, first)
    local pending = { first }
    while #pending > 0 do
      local step = table.remove(pending)
      if not marks[step] then
        marks[step] = true
        if operations[step] == split then
          pending[#pending + 1] = following[step]
          pending[#pending + 1] = arguments[step]
        else
          steps[#steps + 1] = step
        end
      end
    end
  end

  local function resolve(steps, before, after)
    if not has_assertions then return steps end
    local result, marks = {}, {}
    for _, step in ipairs(steps) do reach(result, marks, step) end
    local index = 1
    while index <= #result do
      local step = result[index]
      if operations[step] == assertion and holds[assertions[arguments[step]]](before, after) then
        reach(result, marks, following[step])
      end
      index = index + 1
    end
    return result
  end

  local function state_of(steps, before)
    table.sort(steps)
    local key = before .. ":" .. table.concat(steps, ",")
    local state = states[key]
    if state then return state end
    if kept >= most_steps then
      states, kept = {}, 0
    end
    state = { steps = steps, before = before, next = {} }
    states[key] = state
    kept = kept + #steps + state_cost
    return state
  end

  local start_steps = {}
  reach(start_steps, {}, program.start)
  local start = state_of(start_steps, none)

  local function follow(state, class, kind)
    local row = rows[class]
    local steps, marks = {}, {}
    for _, step in ipairs(resolve(state.steps, state.before, kind)) do
      if operations[step] == take and row[arguments[step]] == 1 then reach(steps, marks, following[step]) end
    end
    local next = state_of(steps, has_assertions and kind or none)
    state.next[class] = next
    return next
  end

  local function accepts(state)
    if state.accepts == nil then
      state.accepts = false
      for _, step in ipairs(resolve(state.steps, state.before, none)) do
        local operation = operations[step]
        if operation ~= take and operation ~= split and operation ~= assertion then state.accepts = true end
      end
    end
    return state.accepts
  end

  return function(text)
    local state = start
    for position = 1, #text do
      local code = byte(text, position)
      local class = classes[code + 1]
      state = state.next[class] or follow(state, class, has_assertions and kind_of(code) or none)
      if #state.steps == 0 then return false end
    end
    return accepts(state)
  end
end

return expression
