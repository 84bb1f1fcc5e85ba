import { randomUUID } from "node:crypto";
import type { ClientConnection } from "./client-connection.ts";
import type { HttpContext } from "./http-context.ts";

/** What could be read of it. */
interface RefusedBeforeRouting {
  readonly status: number;
  readonly method?: string;
  readonly target?: string;
  readonly protocol?: string;
}

/** A request that no rule has seen, because it was not a proper one: counted and logged all the same. */
export function recordRefusal(
  { metrics, log, now }: HttpContext,
  { listener, address }: ClientConnection,
  { status, method = "", target = "", protocol = "" }: RefusedBeforeRouting,
): void {
  metrics.count(listener.key, "", status);
  log?.({
    time: new Date(now()).toISOString(),
    gateway: listener.gateway,
    listener: listener.key,
    method,
    host: "",
    path: target.split("?", 1)[0]!.slice(0, longestPath),
    protocol,
    status,
    bytesIn: 0,
    bytesOut: 0,
    durationMs: 0,
    clientAddress: address,
    requestId: randomUUID(),
  });
}

const longestPath = 1_024;
