-- A filter on requests that need to be watched to their end: those with a time by which they must be over or for which they may be silent, those whose
-- bodies are counted, and those that are mirrored. It sits in the sections of backends that such requests go to.
--
-- Time: HAProxy's own time-outs are about silence; they see to it that an answer begins in time. An answer that has begun
-- is looked at again when its time is over, whether anything moves or not, and broken off.
--
-- Silence: where a body goes on while it comes, HAProxy would count the backend's silence from the connection on. So both sides are looked at here, each time
-- that one of them could have been silent for too long.
--
-- Bodies: what goes to the backend is counted, and broken off when it is too much. The answer is then the section's own for a malformed request, with
-- another status.
--
-- Mirrors: what goes to the backend is copied piece by piece to a request of our own, which has its own pace. One that lags
-- behind too far is given up; the request itself never waits.
local inside = require("gatewright.inside")

local watch = {}

local most_lag = 1048576
local patience = 30
local pending = {}
local most_pending = 50000
local longest_wait = 50
local next_id = 0
-- 24 days, ms.
local never = 2073600000

local function now()
  local time = core.now()
  return time.sec * 1000 + time.usec // 1000
end

watch.now = now

-- Called before the request goes to its section: `deadline` and `idle` in ms, `mirrors`: names of sections, `most`: bytes.
function watch.expect(txn, given)
  next_id = next_id + 1
  -- A request that never got to its section has left something here.
  pending[next_id - most_pending] = nil
  pending[next_id] = given
  txn:set_var("txn.gw_watch", next_id)
end

local function send_copy(copy, section)
  local socket = inside.connect(patience)
  if not socket then
    copy.is_over = true
    return
  end
  local wait = 1
  -- Whoever sends slowly is waited for with more patience.
  local function rest()
    core.msleep(wait)
    wait = math.min(wait * 2, longest_wait)
  end
  while not copy.framing and not copy.is_over do rest() end
  if not copy.is_over and socket:send(inside.head(section, copy.method, copy.target, copy.fields) .. copy.framing .. "\r\n") then
    while not copy.is_over do
      local piece = table.remove(copy.pieces, 1)
      if piece then
        wait = 1
        copy.lag = copy.lag - #piece
        if not socket:send(piece) then copy.is_over = true end
      elseif copy.is_whole then
        -- Only that there is an answer is of interest: until then its backend may still be reading.
        socket:receive("*l")
        copy.is_over = true
      else
        rest()
      end
    end
  end
  socket:close()
end

local connection_fields = { connection = true, ["keep-alive"] = true, upgrade = true, ["transfer-encoding"] = true, te = true }

local function start_copies(given, message)
  local line = message:get_stline()
  local fields = {}
  for name, values in pairs(message:get_headers()) do
    if not connection_fields[name] and string.sub(name, 1, 11) ~= "gatewright-" then
      for index = 0, #values do fields[#fields + 1] = { name, values[index] } end
    end
    if name == "content-length" then given.length = values[0] end
  end
  given.copies = {}
  for _, section in ipairs(given.mirrors) do
    local copy = { method = line.method, target = line.uri, fields = fields, pieces = {}, lag = 0 }
    given.copies[#given.copies + 1] = copy
    core.register_task(function() send_copy(copy, section) end)
  end
end

local function add_piece(given, data)
  for _, copy in ipairs(given.copies) do
    if not copy.is_over then
      if not copy.framing then copy.framing = given.length and "" or "transfer-encoding: chunked\r\n" end
      local piece = given.length and data or string.format("%x\r\n%s\r\n", #data, data)
      copy.pieces[#copy.pieces + 1] = piece
      copy.lag = copy.lag + #piece
      if copy.lag > most_lag then copy.is_over = true end
    end
  end
end

local function end_copies(given)
  for _, copy in ipairs(given.copies) do
    if not copy.framing then
      copy.framing = ""
    elseif not given.length then
      copy.pieces[#copy.pieces + 1] = "0\r\n\r\n"
    end
    copy.is_whole = true
  end
end

-- The next time that something could be over.
local function schedule(given)
  local next = given.is_timed and given.deadline
  local silent = given.idle and given.moved + given.idle
  if silent and (not next or silent < next) then next = silent end
  if next then filter.wake_time(math.max(1, next - now())) end
end

-- Whether nothing has come for too long.
local function is_silent(given, message)
  local time = now()
  if message:input() > 0 then
    given.moved = time
    return false
  end
  return time - given.moved >= given.idle
end

local Watch = { id = "gatewright-watch", flags = filter.FLT_CFG_FL_HTX }
Watch.__index = Watch

function Watch:new()
  return setmetatable({}, Watch)
end

function Watch:start_analyze(txn, channel)
  if not self.given then
    local id = txn:get_var("txn.gw_watch")
    self.given = id and pending[id] or {}
    if id then pending[id] = nil end
  end
  local is_answer = channel:is_resp()
  local given = self.given
  local has_clock = given.deadline or given.idle
  if (is_answer and (has_clock or given.upgrades)) or (not is_answer and (given.mirrors or given.idle or given.most)) then
    filter.register_data_filter(self, channel)
  end
end

function Watch:http_headers(txn, message)
  local given = self.given
  if message.channel:is_resp() then
    local status = tonumber(message:get_stline().code)
    -- What is sent through a tunnel is no body.
    if status == 101 then given.most, given.idle = nil, nil end
    if given.deadline then
      -- A tunnel lives on its own time; and this is what a request gets whose time is over.
      if status == 101 or status == 504 then
        given.deadline = nil
      else
        -- From here on it is looked at.
        given.is_timed = true
      end
    end
  elseif given.mirrors and not given.copies then
    start_copies(given, message)
  end
  if given.idle then given.moved = now() end
  schedule(given)
  return filter.CONTINUE
end

function Watch:http_payload(txn, message)
  local given = self.given
  if message.channel:is_resp() then
    -- There is no other way for a filter to end a stream.
    if given.is_timed and given.deadline <= now() then error("the time of a request is over") end
    if given.idle and is_silent(given, message) then error("a backend has fallen silent") end
    schedule(given)
    return
  end
  if given.idle then
    if is_silent(given, message) then
      txn:set_var("txn.gw_silent", true)
      error("a client has fallen silent")
    end
    schedule(given)
  end
  if not given.most and not given.copies then return end
  local data = message:body()
  if not data or #data == 0 then return end
  if given.most then
    given.most = given.most - #data
    if given.most < 0 then
      txn:set_var("txn.gw_too_large", true)
      error("the body of a request is too large")
    end
  end
  if given.copies then add_piece(given, data) end
end

function Watch:http_end(txn, message)
  local given = self.given
  if not message.channel:is_resp() and given.copies then end_copies(given) end
  -- A time that has come when nobody is asked any more would keep HAProxy busy with nothing else.
  if given.deadline or given.idle then filter.wake_time(never) end
  return filter.CONTINUE
end

function Watch:end_analyze(txn, channel)
  if not channel:is_resp() and self.given.copies then
    for _, copy in ipairs(self.given.copies) do
      -- A request that did not come to its end has no copy either.
      if not copy.is_whole then copy.is_over = true end
    end
  end
end

core.register_filter("gatewright_watch", Watch, function(class) return class end)

return watch
