import { describe, expect, it } from "vitest";
import { backendItem, rule, to } from "../../../../test/model-items.ts";
import type { Rule, RuleAction } from "../../../model/index.ts";
import { renderRule } from "./route.ts";

const web = backendItem("web");
const api = backendItem("api");
const site = { scheme: "http", port: 80, isLogged: true } as const;

const routesOf = (
  action: Partial<RuleAction>,
  match: Parameters<typeof rule>[0] = "/",
): ReturnType<typeof renderRule> => renderRule(rule(match, action) satisfies Rule, site);

describe("a rule", () => {
  it("with one backend is one route to its cluster", () => {
    const [route, ...others] = routesOf({ backends: [to(web)] }, "/shop");
    expect(others).toEqual([]);
    expect(route).toMatchObject({
      match: { pathSeparatedPrefix: "/shop" },
      route: { cluster: web.key, timeout: 0, retryPolicy: { retryOn: "connect-failure,refused-stream" } },
    });
  });

  it("shares requests out among weighted clusters; one that cannot be used is none", () => {
    const error = { type: "error", status: 500, reason: "BackendNotFound" } as const;
    const [route] = routesOf({ backends: [to(web, { weight: 3 }), { weight: 1, target: error }] });
    expect(route?.route).toMatchObject({
      weightedClusters: {
        clusters: [
          { name: web.key, weight: 3 },
          { name: "none", weight: 1 },
        ],
      },
      clusterNotFoundResponseCode: "INTERNAL_SERVER_ERROR",
    });
  });

  it("cuts shares off one after the other where a backend needs a route of its own", () => {
    const mirrors = [
      { target: { type: "backend", backend: api.key }, numerator: 1, denominator: 1 } as const,
    ];
    const routes = routesOf({
      backends: [to(web, { weight: 1, mirrors }), to(api, { weight: 1 }), to(web, { weight: 2 })],
    });
    expect(routes.map(({ match }) => match?.runtimeFraction?.defaultValue?.numerator)).toEqual([
      250_000,
      500_000,
      undefined,
    ]);
    expect(routes.map(({ route }) => route?.requestMirrorPolicies?.length)).toEqual([
      1,
      undefined,
      undefined,
    ]);
  });

  it("with CORS is one route for requests with an Origin, and one without", () => {
    const cors = {
      allowOrigins: ["*"],
      allowCredentials: false,
      allowMethods: ["GET"],
      allowHeaders: [],
      exposeHeaders: [],
      maxAge: 5,
    };
    const routes = routesOf({ cors, backends: [to(web)] });
    expect(routes.map(({ match }) => match?.headers?.map(({ name }) => name))).toEqual([
      ["origin"],
      undefined,
    ]);
    expect(routes.map(({ typedPerFilterConfig }) => [...(typedPerFilterConfig?.keys() ?? [])])).toEqual([
      ["gatewright.cors", "gatewright.headers"],
      [],
    ]);
  });

  it("with a session has a route for the sessions of each backend before the one for new clients", () => {
    const session = { type: "cookie", name: "shop", lifetime: "session", path: "/" } as const;
    const routes = routesOf({ session, backends: [to(web), to(api)] });
    expect(routes).toHaveLength(3);
    expect(routes.map(({ match }) => match?.headers?.[0]?.name)).toEqual([
      "x-gatewright-session",
      "x-gatewright-session",
      undefined,
    ]);
  });

  it("that cannot ask for authorization refuses everything", () => {
    const auth = {
      protocol: "http",
      target: { type: "error", status: 500, reason: "BackendNotFound" },
      pathPrefix: "",
      requestHeaders: [],
      responseHeaders: [],
      maxBodySize: 0,
    } as const;
    const [route] = routesOf({ auth, backends: [to(web)] });
    expect(route?.directResponse?.status).toBe(500);
    expect(route?.route).toBeUndefined();
  });

  it("names its route and rule for the log, and escapes what Envoy would format", () => {
    const set = [{ name: "x-a", value: "%START_TIME%" }];
    const [route] = routesOf({ requestHeaders: { set, add: [], remove: [] }, backends: [to(web)] });
    expect(route?.requestHeadersToAdd?.[0]?.header?.value).toBe("%%START_TIME%%");
    expect(route?.name).toBe("HTTPRoute/kit/route");
    expect(route?.metadata?.filterMetadata?.get("gatewright")).toEqual({
      rule: expect.stringMatching(/^[0-9]+$/) as string,
    });
  });

  it("carries nothing for the log where there is none", () => {
    const action = { backends: [to(web)], rewrite: { path: { type: "full", value: "/new" } } } as const;
    const [logged] = routesOf(action);
    const [route] = renderRule(rule("/", action), { ...site, isLogged: false });
    expect([...logged!.typedPerFilterConfig!.keys()]).toEqual(["gatewright.path"]);
    expect(logged).toMatchObject({ metadata: {} });
    expect(route!.route).toEqual(logged!.route);
    expect(route).not.toHaveProperty("metadata");
    expect(route).not.toHaveProperty("typedPerFilterConfig");
  });
});
