/** Answers by the first digit of their status; index 0: none was sent. */
export type StatusClassCounts = [number, number, number, number, number, number];

/** Counters of the HTTP data path. Updating one is a look-up or two and an addition. */
export class HttpMetrics {
  /** By listener key, then by route (`<Kind>/<namespace>/<name>`, `""` where none took the request). */
  readonly requests = new Map<string, Map<string, StatusClassCounts>>();
  /** Requests being served, tunnels included. */
  activeRequests = 0;
  clientConnections = 0;
  /** To backends; kept by whoever makes them. */
  upstreamConnections = 0;
  retries = 0;
  mirrored = 0;
  mirrorsGivenUp = 0;
  /** Connections closed because of what the client did. */
  abusiveConnections = 0;

  count(listener: string, route: string, status: number): void {
    let routes = this.requests.get(listener);
    if (!routes) this.requests.set(listener, (routes = new Map<string, StatusClassCounts>()));
    let counts = routes.get(route);
    if (!counts) routes.set(route, (counts = [0, 0, 0, 0, 0, 0]));
    counts[Math.min(5, Math.floor(status / 100))]! += 1;
  }

  /** Forgets a listener that is no more. */
  forget(listener: string): void {
    this.requests.delete(listener);
  }

  /** Forgets what is no more, so that routes which come and go do not add up. */
  prune(isLive: (listener: string, route: string) => boolean): void {
    for (const [listener, routes] of this.requests) {
      for (const route of routes.keys()) if (!isLive(listener, route)) routes.delete(route);
      if (routes.size === 0) this.requests.delete(listener);
    }
  }
}
