-- What HAProxy asks of Lua. This text never changes with the configuration: all that comes from users is data, which is
-- read from files and maps (gatewright/store.lua, gatewright/routing.lua).
local orphan = require("gatewright.orphan")
local retry = require("gatewright.retry")
local serve = require("gatewright.serve")
local streams = require("gatewright.streams")

core.register_action("gatewright_route", { "http-req" }, serve.route, 5)
core.register_action("gatewright_limited", { "http-req" }, serve.limited, 0)
core.register_action("gatewright_with_body", { "http-req" }, serve.with_body, 0)
core.register_action("gatewright_drop_named", { "http-res" }, serve.drop_named, 0)
core.register_action("gatewright_respond", { "http-res" }, serve.respond, 0)
core.register_action("gatewright_try", { "http-req" }, retry.try, 0)
core.register_action("gatewright_judge", { "http-res" }, retry.judge, 0)
core.register_action("gatewright_restore", { "http-res" }, retry.restore, 0)
core.register_action("gatewright_server_name", { "tcp-req" }, streams.server_name, 1)
core.register_action("gatewright_stream", { "tcp-req" }, streams.stream, 1)

if core.thread == 1 then core.register_task(orphan.watch) end
