/** Ingresses on the hosts of the routes: what they ask for comes after all others. */
import { http1Backends } from "./echo-backends.ts";
import type { Lots } from "./lots.ts";
import type { LayeredWorld } from "./random-proxies.ts";
import type { HttpMatch, PathMatch, RandomRoute } from "./random-objects.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A wildcard stands for one label, as with HTTPProxies; none is for all hosts. */
const hosts = ["shop.test", "a.shop.test", "*.shop.test", "*.test", undefined] as const;
const paths = ["/", "/login", "/login/", "/a", "/a/b", "/A", "/v1.0"] as const;
/** `target` says what of the path stays, `prefix` what requests begin with. */
const rewritten = { path: "/app(/|$)(.*)", target: "/$2", prefix: "/app" } as const;

export function randomIngresses(lots: Lots, namespace: string): LayeredWorld {
  const objects: object[] = [];
  const routes: RandomRoute<HttpMatch>[] = [];
  for (let position = 0; position < 2; position++) {
    const isRewritten = lots.chance(25);
    const rules = lots.some(hosts, 2, 1).map((host) => {
      const made = isRewritten ? [rewrittenPath(lots)] : pathsOf(lots);
      const matches = made.map(({ match }): HttpMatch => ({ path: match }));
      routes.push({ hostnames: host === undefined ? [] : [host], rules: [{ matches, filters: [] }] });
      return { ...(host !== undefined && { host }), http: { paths: made.map(({ path }) => path) } };
    });
    const annotations = isRewritten ? { "nginx.ingress.kubernetes.io/rewrite-target": rewritten.target } : {};
    objects.push({
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: {
        name: `ingress-${position}`,
        namespace,
        creationTimestamp: `2024-01-01T00:00:0${position}Z`,
        annotations,
      },
      spec: { ingressClassName: "gatewright", rules },
    });
  }
  return { objects, routes };
}

interface MadePath {
  readonly path: Fields;
  readonly match: PathMatch;
}

function pathsOf(lots: Lots): MadePath[] {
  return lots.some(paths, 3, 1).map((value) => {
    const isExact = lots.chance(30);
    return {
      path: { path: value, pathType: isExact ? "Exact" : "Prefix", backend: backend(lots) },
      match: { type: isExact ? "Exact" : "PathPrefix", value },
    };
  });
}

function rewrittenPath(lots: Lots): MadePath {
  return {
    path: { path: rewritten.path, pathType: "ImplementationSpecific", backend: backend(lots) },
    match: { type: "PathPrefix", value: rewritten.prefix },
  };
}

function backend(lots: Lots): Fields {
  return { service: { name: lots.pick([...http1Backends, "empty"]), port: { number: 80 } } };
}
