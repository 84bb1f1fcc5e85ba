/** Flags of `run`, `check`, `controller` and `operator` that say which Gateways are served, and by whose rules. */
import type { ClusterOptions } from "../controller/index.ts";
import type { Flag } from "./flag.ts";
import type { Invocation } from "./invocation.ts";
import { isObjectName } from "./layer-flags.ts";

export const listenerPolicyFlags: readonly Flag[] = [
  {
    name: "listener-policy",
    value: "POLICY",
    choices: ["gateway-api", "contour"],
    default: "gateway-api",
    summary: "whose rules listeners follow",
  },
  { name: "insecure-port", value: "PORT", default: "80", summary: "of the proxy's Service; for contour" },
  { name: "secure-port", value: "PORT", default: "443", summary: "of the proxy's Service; for contour" },
];

export const gatewayModeFlags: readonly Flag[] = [
  {
    name: "mode",
    value: "MODE",
    choices: ["gateway-class", "single-gateway"],
    default: "gateway-class",
    summary: "what is served",
  },
  { name: "gateway", value: "NAMESPACE/NAME", summary: "serve this one alone, whatever its class" },
  ...listenerPolicyFlags,
  { name: "experimental-service-apis", summary: "has no effect any more; use --gateway" },
];

export const obsoleteFlag =
  "--experimental-service-apis has no effect any more: name the Gateway to serve with --gateway NAMESPACE/NAME, or as gateway in the settings file";

export interface GatewayMode {
  readonly outcome: "mode";
  readonly settings: Pick<ClusterOptions, "singleGateway" | "listenerPolicy">;
  readonly isObsoleteFlagGiven: boolean;
}

export function readGatewayMode(
  invocation: Invocation,
): GatewayMode | { readonly outcome: "malformed"; readonly message: string } {
  const malformed = (message: string) => ({ outcome: "malformed", message }) as const;
  const gateway = invocation.value("gateway");
  if (gateway !== undefined && !isObjectName(gateway)) {
    return malformed(`--gateway: ${gateway} is not NAMESPACE/NAME, such as shop/web`);
  }
  const isSingle = gateway !== undefined || invocation.value("mode") === "single-gateway";
  if (gateway !== undefined && invocation.has("mode") && invocation.value("mode") !== "single-gateway") {
    return malformed("--gateway is for --mode single-gateway");
  }
  const [insecure, secure] = ["insecure-port", "secure-port"].map((flag) => readPort(invocation.value(flag)));
  const wrong = Object.entries({ insecure, secure }).find(([, port]) => !isPort(port));
  if (wrong) return malformed(`--${wrong[0]}-port: must be a port from 1 to 65535`);
  if (insecure === secure) return malformed("--secure-port: must not be the insecure port");
  return {
    outcome: "mode",
    settings: {
      ...(isSingle && { singleGateway: gateway === undefined ? {} : { gateway } }),
      ...(invocation.value("listener-policy") === "contour" && {
        listenerPolicy: { ports: { insecure: insecure!, secure: secure! } },
      }),
    },
    isObsoleteFlagGiven: invocation.has("experimental-service-apis"),
  };
}

/** Digits alone: `Number` would take 0x50 and 8e1 as well. */
function readPort(text: string | undefined): number | undefined {
  return text !== undefined && /^[0-9]+$/.test(text) ? Number(text) : undefined;
}

function isPort(port: number | undefined): boolean {
  return port !== undefined && Number.isInteger(port) && port >= 1 && port <= 65_535;
}
