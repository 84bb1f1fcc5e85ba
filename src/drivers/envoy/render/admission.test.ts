import { describe, expect, it } from "vitest";
import { backendItem, rule, to } from "../../../../test/model-items.ts";
import type { RuleAction } from "../../../model/index.ts";
import type {
  Any,
  ExecuteFilterAction,
  ExtensionWithMatcherPerRoute,
  LocalRateLimit,
  Lua,
  RBAC,
  TypedExtensionConfig,
} from "../generated/messages.ts";
import { renderAdmission } from "./admission.ts";
import { renderRule } from "./route.ts";

const web = backendItem("web");
const rateLimit = { requests: 3, interval: 60_000, burst: 2, statusCode: 429, responseHeaders: [] } as const;

/** The filters that a route brings with it. */
function filtersOf(given: Partial<RuleAction>): readonly TypedExtensionConfig[] {
  const { action } = rule("/", { backends: [to(web)], ...given });
  const rendered = renderAdmission(action, "counted");
  const { xdsMatcher } = contentOf<ExtensionWithMatcherPerRoute>(rendered) ?? {};
  const execute = contentOf<ExecuteFilterAction>(xdsMatcher?.onNoMatch?.action?.typedConfig);
  return execute?.filterChain?.typedConfig ?? [];
}

function contentOf<T>(message: Any | undefined): T | undefined {
  return message && "value" in message ? (message.value as T) : undefined;
}

function valueOf<T>(filter: TypedExtensionConfig | undefined): T {
  return contentOf<T>(filter?.typedConfig)!;
}

function principalOf(clientAddresses: Partial<RuleAction["clientAddresses"] & {}>): unknown {
  const [filter] = filtersOf({ clientAddresses: { source: "peer", ...clientAddresses } });
  return valueOf<{ rules: RBAC }>(filter).rules.policies?.get("clients")?.principals?.[0];
}

describe("what a rule asks of requests", () => {
  it("is nothing for most rules", () => {
    expect(filtersOf({})).toEqual([]);
  });

  it("is looked at in the model's order", () => {
    const filters = filtersOf({ maxBodySize: 10, rateLimit, clientAddresses: { source: "peer", deny: [] } });
    expect(filters.map(({ name }) => name?.split(".").at(-1))).toEqual(["rbac", "local_ratelimit", "buffer"]);
  });

  it("are addresses by their own family; one that cannot be read is nobody's, and denies everybody", () => {
    expect(principalOf({ allow: ["::ffff:10.0.0.0/104", "no address"] })).toEqual({
      andIds: {
        ids: [{ orIds: { ids: [{ directRemoteIp: { addressPrefix: "10.0.0.0", prefixLen: 8 } }] } }],
      },
    });
    expect(principalOf({ deny: ["10.0.0.0/8", "no address"] })).toEqual({ notId: { any: true } });
    expect(principalOf({ allow: [] })).toEqual({ andIds: { ids: [{ notId: { any: true } }] } });
  });

  it("are the words of trusted proxies, which a constant script reads", () => {
    const [filter] = filtersOf({
      clientAddresses: {
        source: "forwarded",
        trustedProxies: ["10.0.0.0/8"],
        allow: ['"]] os.exit()', "::1"],
      },
    });
    expect(valueOf<Lua>(filter).filterContext).toEqual({
      allow: ["unreadable", `${"0".repeat(31)}1/128`],
      deny: [],
      trusted: [`${"0".repeat(20)}ffff0a000000/104`],
    });
  });

  it("is a bucket of tokens; headers are no formats", () => {
    const [filter] = filtersOf({
      rateLimit: { ...rateLimit, statusCode: 599, responseHeaders: [{ name: "x-a", value: "%START_TIME%" }] },
    });
    const value = valueOf<LocalRateLimit>(filter);
    expect(value).toMatchObject({
      tokenBucket: { maxTokens: 5, tokensPerFill: 3, fillInterval: 60_000 },
      status: { code: "TooManyRequests" },
    });
    expect(value.responseHeadersToAdd?.[0]?.header?.value).toBe("%%START_TIME%%");
  });

  it("makes a route for each way in which a length is told", () => {
    const routes = renderRule(rule("/", { maxBodySize: 10, backends: [to(web)] }), {
      scheme: "http",
      port: 80,
      isLogged: false,
    });
    expect(
      routes.map(({ directResponse, typedPerFilterConfig }) => [
        directResponse?.status,
        [...(typedPerFilterConfig?.keys() ?? [])],
      ]),
    ).toEqual([
      [413, []],
      [undefined, []],
      [undefined, []],
      [undefined, ["gatewright.admission", "gatewright.body-size"]],
    ]);
  });
});
