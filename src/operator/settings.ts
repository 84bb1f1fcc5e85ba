/** What the admin asks for, wherever it is written (profiles/). */
import type { Gate } from "../resources/index.ts";
import type { Channel } from "./crds/bundle.ts";
import type { DnsSettings } from "./dns/dns-settings.ts";

/** How far the feature is. A release has one. */
export type Maturity = "dev-preview" | "tech-preview" | "general";

export type ManagementMode = "Managed" | "Unmanaged";

export interface DefaultClass {
  readonly name: string;
  readonly proxyConfig?: { readonly name: string; readonly namespace: string };
}

export interface PlatformSettings {
  /** The gate `GatewayAPI`. */
  readonly isOn: boolean;
  /** The gate `GatewayAPIController`: off, the CRDs and roles are there, but nothing serves them. */
  readonly servesClasses: boolean;
  /** The gate `GatewayAPIWithoutOLM`: a mesh is installed by ourselves. */
  readonly withoutOlm: boolean;
  readonly managementMode: ManagementMode;
  readonly channel: Channel;
  /** Of what is tried out: those that are on. Sorted. */
  readonly gates: readonly Gate[];
  /** The "unsupported config override": the CRDs are left as they are. */
  readonly keepsCrds: boolean;
  /** A class that shall be there. */
  readonly defaultClass?: DefaultClass | undefined;
  /** Names of Gateways; absent: nothing is asked for. */
  readonly dns?: DnsSettings | undefined;
  /** What we have recorded last: the CRDs were not ours. */
  readonly wasUnmanaged: boolean;
}

/** Of a gate that nobody has set: on only when the feature is for everybody. */
export function isOnByDefault(maturity: Maturity): boolean {
  return maturity === "general";
}
