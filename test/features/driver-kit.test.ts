/** A suite is worth what it notices: drivers with one flaw each, and the cases that find it. */
import { describe, expect, it } from "vitest";
import { contractCases, runContract } from "../../src/driver-kit/index.ts";
import { embeddedDriver, type ApplyReport, type Driver } from "../../src/drivers/index.ts";
import {
  type ModelChanges,
  type ModelItems,
  type ModelKind,
  type Rule,
  type RuleAction,
} from "../../src/model/index.ts";

/** An embedded driver that is told something else than it should be, or tells something else. */
function flawed(
  change: (changes: ModelChanges) => ModelChanges,
  tell: (reports: readonly ApplyReport[]) => readonly ApplyReport[] = (reports) => reports,
): Driver {
  const inner = embeddedDriver({ limits: { grace: 500 } });
  return {
    name: "flawed",
    features: inner.features,
    start: (report) => inner.start((reports) => report(tell(reports))),
    apply: (changes) => inner.apply(change(changes)),
    stop: () => inner.stop(),
  };
}

function changing<Kind extends ModelKind>(
  kind: Kind,
  change: (item: ModelItems[Kind]) => ModelItems[Kind] | undefined,
) {
  return (changes: ModelChanges): ModelChanges => {
    const items = new Map<string, unknown>();
    for (const [key, item] of changes[kind]) items.set(key, item && change(item as ModelItems[Kind]));
    return { ...changes, [kind]: items };
  };
}

const changingRules = (change: (rules: readonly Rule[]) => readonly Rule[]) =>
  changing("virtualHosts", (host) => ({ ...host, rules: change(host.rules) }));

const changingActions = (change: (action: RuleAction) => RuleAction) =>
  changingRules((rules) => rules.map((rule) => ({ ...rule, action: change(rule.action) })));

function omit<T extends object>(item: T, part: keyof T): T {
  return Object.fromEntries(Object.entries(item).filter(([name]) => name !== part)) as T;
}

const without = (part: keyof RuleAction) => changingActions((action) => omit(action, part));

const same = (changes: ModelChanges) => changes;

/** What is wrong with the driver, and a case that must fail because of it. */
const flaws: readonly (readonly [flaw: string, driver: () => Driver, found: string])[] = [
  [
    "takes rules in another order",
    () => flawed(changingRules((rules) => rules.toReversed())),
    "matching: the first rule that matches decides, in the order given",
  ],
  [
    "ignores headers in matches",
    () =>
      flawed(
        changingRules((rules) => rules.map((rule) => ({ ...rule, match: { ...rule.match, headers: [] } }))),
      ),
    "matching: all headers of a match must hold",
  ],
  [
    "takes prefixes as mere text",
    () =>
      flawed(
        changingRules((rules) =>
          rules.map((rule) => {
            const { type, value } = rule.match.path;
            const path =
              type === "prefix" ? { type: "regex" as const, value: `${value}.*` } : rule.match.path;
            return { ...rule, match: { ...rule.match, path } };
          }),
        ),
      ),
    "matching: a prefix takes whole elements only",
  ],
  [
    "does not tell sections apart",
    () => flawed(changing("virtualHosts", (host) => ({ ...host, section: "all" }))),
    "hosts: a host never falls to hosts of another section",
  ],
  [
    "ends the search at the first host",
    () => flawed(changing("virtualHosts", (host) => ({ ...host, section: host.hostname }))),
    "hosts: what no rule of a host takes falls to less specific hosts of the same section",
  ],
  [
    "answers hosts of other sections over TLS",
    () =>
      flawed((changes) =>
        changing("virtualHosts", (host) => ({ ...host, section: "all" }))(
          changing("serverNames", (name) => ({ ...name, section: "all" }))(changes),
        ),
      ),
    "TLS: a request for a host of another section than its connection is answered with 421",
  ],
  [
    "shares out evenly",
    () =>
      flawed(
        changingActions((action) => ({
          ...action,
          backends: action.backends.map((backend) => ({ ...backend, weight: 1 })),
        })),
      ),
    "weights: requests are shared out by weight",
  ],
  [
    "redirects with 302 always",
    () =>
      flawed(
        changingActions((action) =>
          action.redirect ? { ...action, redirect: { ...action.redirect, statusCode: 302 } } : action,
        ),
      ),
    "redirects: 308",
  ],
  ["ignores rewrites", () => flawed(without("rewrite")), "rewrites: the host that the backend sees"],
  [
    "ignores changes of request headers",
    () => flawed(without("requestHeaders")),
    "header changes: the order is remove, set, add",
  ],
  [
    "ignores changes of answers",
    () => flawed(without("responseHeaders")),
    "header changes: response headers are set, added and removed",
  ],
  [
    "mirrors everything",
    () =>
      flawed(
        changingActions((action) => ({
          ...action,
          mirrors: action.mirrors.map((mirror) => ({ ...mirror, numerator: mirror.denominator })),
        })),
      ),
    "mirrors: a share of the requests is mirrored",
  ],
  [
    "lets every request through without asking",
    () => flawed(without("auth")),
    "external authorization: HTTP: whatever is no clear yes refuses the request",
  ],
  [
    "knows no CORS",
    () => flawed(without("cors")),
    "cross-origin requests: a pre-flight request of an allowed origin is answered by the gateway",
  ],
  [
    "does not retry",
    () => flawed(without("retry")),
    "retries: an answer with a listed code is tried again until it is another",
  ],
  [
    "retries without a budget",
    () => flawed(changing("backends", (backend) => omit(backend, "retryBudget"))),
    "retries: a budget bounds retries to a share of the requests",
  ],
  [
    "has no time-outs",
    () => flawed(changingActions((action) => ({ ...action, timeouts: {} }))),
    "time-outs: an answer that began in time but does not end in time is broken off",
  ],
  [
    "forgets sessions",
    () => flawed(without("session")),
    "sessions: a client that brings its cookie comes back to its endpoint",
  ],
  [
    "asks clients for no certificate",
    () => flawed(changing("listeners", (listener) => omit(listener, "clientValidation"))),
    "client certificates: a client without a valid certificate is not served",
  ],
  [
    "speaks to secured backends in the clear",
    () => flawed(changing("backends", (backend) => omit(backend, "tls"))),
    "TLS to backends: a backend that does not speak TLS is not used",
  ],
  [
    "checks no names of backends",
    () =>
      flawed(
        changing("backends", (backend) =>
          backend.tls ? { ...backend, tls: { ...backend.tls, subjectAltNames: [] } } : backend,
        ),
      ),
    "TLS to backends: names are checked instead of the host where they are given",
  ],
  [
    "keeps endpoints that are gone",
    () =>
      flawed((changes) => ({
        ...changes,
        endpoints: new Map([...changes.endpoints].filter(([, set]) => set?.endpoints.length !== 0)),
      })),
    "backends: a backend whose endpoints all went answers 503, and comes back with them",
  ],
  [
    "keeps removed hosts",
    () =>
      flawed((changes) => ({
        ...changes,
        virtualHosts: new Map([...changes.virtualHosts].filter(([, host]) => host !== undefined)),
      })),
    "hosts: hosts and rules are added, changed and removed alone",
  ],
  [
    "calls every listener programmed",
    () =>
      flawed(same, (reports) =>
        reports.map((report) => ({ ...report, state: { type: "programmed" as const } })),
      ),
    "faults: a port that is taken is refused with its reason, and opened when it is free",
  ],
  [
    "reports nothing",
    () => flawed(same, () => []),
    "life cycle: a listener is reported before apply resolves, and programmed means that it answers",
  ],
  [
    "does not report refused certificates",
    () => flawed(same, (reports) => reports.filter(({ kind }) => kind === "listeners")),
    "faults: a certificate that cannot be used is refused, and nobody else notices",
  ],
];

describe("the driver kit notices a driver that", () => {
  for (const [flaw, createDriver, found] of flaws) {
    it(flaw, async () => {
      const { results } = await runContract({ createDriver, only: [found], patience: 3_000 });
      expect(results).toEqual([expect.objectContaining({ name: found, state: "failed" })]);
    });
  }
});

describe("the contract", () => {
  it("has a case for every feature that traffic can show", () => {
    const asked = new Set(contractCases().map(({ feature }) => feature));
    // What these mean is over before the model: references, ports, names of rules, addresses of load balancers, kinds.
    const decidedBefore = [
      "ReferenceGrant",
      "GatewayAddressEmpty",
      "GatewayInfrastructure",
      "GatewayPort8080",
      "ListenerSet",
      "HTTPRouteDestinationPortMatching",
      "HTTPRouteNamedRouteRule",
      "HTTPRouteParentRefPort",
      "GRPCRouteNamedRouteRule",
      "DefaultGateways",
      "XBackend",
    ];
    const { features } = embeddedDriver();
    expect([...features].filter((feature) => !asked.has(feature))).toEqual(decidedBefore);
  });

  it("has names of its own, in areas", () => {
    const names = contractCases().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[^:]+: /.test(name))).toEqual([]);
  });

  it("asks only for features that there are", () => {
    const { features } = embeddedDriver();
    expect(contractCases().filter(({ feature }) => feature !== undefined && !features.has(feature))).toEqual(
      [],
    );
  });
});

describe("runContract", () => {
  it("skips what is not claimed, and says for want of what", async () => {
    const features = new Set(["HTTPRoute"]);
    const createDriver = () => ({ ...flawed(same), features });
    const { results, passed, skipped, failed } = await runContract({ createDriver, only: ["redirects"] });
    const due = contractCases(features).filter(({ name }) => name.startsWith("redirects: ")).length;
    expect({ passed, failed, skipped }).toEqual({ passed: due, failed: 0, skipped: results.length - due });
    expect(skipped).toBeGreaterThan(0);
    expect(results.find(({ name }) => name === "redirects: 303")).toMatchObject({
      state: "skipped",
      feature: "HTTPRoute303RedirectStatusCode",
    });
  });

  it("goes on when a driver cannot start, hangs, or cannot stop", async () => {
    const never = () => new Promise<void>(() => {});
    const broken: Partial<Driver>[] = [
      { start: () => Promise.reject(new Error("no proxy here")) },
      { start: never },
      { apply: never },
      { stop: never },
    ];
    for (const part of broken) {
      const createDriver = () => ({ ...flawed(same), ...part });
      const { results } = await runContract({
        createDriver,
        only: ["life cycle: starts, takes an empty set of changes, and stops"],
        patience: 200,
      });
      expect(results.map(({ state }) => state)).toEqual(["failed"]);
    }
  });

  it("tells each result as it is there", async () => {
    const told: string[] = [];
    await runContract({
      createDriver: () => flawed(same),
      only: ["redirects: 301", "redirects: 302"],
      onResult: ({ name, state }) => told.push(`${name} ${state}`),
    });
    expect(told).toEqual(["redirects: 301 passed", "redirects: 302 passed"]);
  });
});
