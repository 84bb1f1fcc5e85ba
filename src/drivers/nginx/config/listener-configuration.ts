/*
 * The configuration of the NGINX of one listener. Nothing of a route is in it but its profiles: what requests and connections meet is
 * decided by the scripts, from data.
 *
 *   port ─► stream: front ─┬─► sockets http1, http2, https ─► http ─► slots ─► stream: relay ─► endpoint
 *                          ├─► socket terminate ─► stream ─────────────────────────────────► endpoint
 *                          └─► socket passthrough ─► stream ───────────────────────────────► endpoint
 *
 * A slot is a numbered socket; which endpoint is behind it stands in a file. So connections to endpoints are kept (by NGINX's own
 * `keepalive`, which needs an `upstream` in the configuration), and endpoints come and go without a new configuration.
 */
import { block, directive, variable, type Argument, type Directive } from "./directive.ts";
import { httpPart } from "./http-part.ts";
import type { ListenerShape } from "./listener-shape.ts";
import { streamPart } from "./stream-part.ts";

export function renderListener(shape: ListenerShape): readonly Directive[] {
  const { modules, folder } = shape;
  return [
    ...(shape.user ? [directive("user", shape.user)] : []),
    directive("daemon", "off"),
    directive("master_process", "on"),
    directive("worker_processes", String(shape.workers)),
    directive("worker_rlimit_nofile", String(shape.maxOpenFiles)),
    directive("worker_shutdown_timeout", "1h"),
    directive("pid", `${folder}/pid`),
    directive("lock_file", `${folder}/lock`),
    directive("error_log", "stderr", "error"),
    ...["ngx_stream_module", "ngx_stream_js_module", "ngx_http_js_module"].map((name) =>
      directive("load_module", `${modules}/${name}.so`),
    ),
    block("events", [], [directive("worker_connections", String(shape.workerConnections))]),
    block("stream", [], [...constants(shape), ...streamPart(shape)]),
    block("http", [], [...constants(shape), ...httpPart(shape)]),
  ];
}

/** What scripts know of their surroundings. */
function constants(shape: ListenerShape): Directive[] {
  const values: readonly (readonly [name: string, value: string])[] = [
    ["gw_folder", shape.dataFolder],
    ["gw_listener", shape.listenerId],
    ["gw_sockets", shape.sockets],
  ];
  return values.map(([name, value]) => {
    const given: readonly Argument[] = ["", [variable(name)]];
    return block("map", given, [directive("default", value)]);
  });
}
