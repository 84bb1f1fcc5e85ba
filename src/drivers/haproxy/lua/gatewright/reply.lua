-- Answers of the gateway itself: short plain text, or for gRPC clients a gRPC status, which travels on HTTP 200.
local reply = {}

local grpc_statuses = { [400] = 13, [401] = 16, [403] = 7, [404] = 12, [429] = 14, [502] = 14, [503] = 14, [504] = 14 }

function reply.is_grpc(content_type)
  if not content_type or string.sub(content_type, 1, 16) ~= "application/grpc" then return false end
  local next = string.sub(content_type, 17, 17)
  return next == "" or next == "+" or next == ";" or next == " "
end

local function add(headers, name, value)
  local values = headers[name]
  if not values then
    headers[name] = { value }
  else
    values[#values + 1] = value
  end
end

-- Ends the request. `fields`: a list of {name, value}.
function reply.send(txn, request, status, body, fields)
  local headers = {}
  for _, field in ipairs(fields) do add(headers, field[1], field[2]) end
  if status >= 400 and request.is_grpc then
    headers["content-type"] = { "application/grpc" }
    headers["grpc-status"] = { tostring(grpc_statuses[status] or 2) }
    headers["grpc-message"] = { (string.gsub(string.match(body, "^(.-)\n?$"), "[^ -$&-~]", "?")) }
    status, body = 200, ""
  end
  if request.method == "HEAD" or status == 204 or status == 304 then body = "" end
  if status ~= 204 and status ~= 304 then headers["content-length"] = { tostring(#body) } end
  local answer = txn:reply({ status = status, headers = headers, body = body })
  txn:done(answer)
end

function reply.text(txn, request, status, text, fields)
  local headers = { { "content-type", "text/plain; charset=utf-8" } }
  for _, field in ipairs(fields or {}) do headers[#headers + 1] = field end
  reply.send(txn, request, status, text .. "\n", headers)
end

return reply
