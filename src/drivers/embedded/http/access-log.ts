import type { RouteRule } from "../../../model/index.ts";

/** One request, as all drivers log it. */
export interface AccessRecord {
  /** When the head of the request was read, RFC 3339. */
  readonly time: string;
  readonly gateway: string;
  readonly listener: string;
  /** `<Kind>/<namespace>/<name>`; absent where no route took the request. */
  readonly route?: string;
  /** Index of the rule in the route, and its name if it has one. */
  readonly rule?: string;
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly protocol: string;
  /** 0: the client was gone before there was any. */
  readonly status: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly durationMs: number;
  readonly backend?: string;
  readonly endpoint?: string;
  readonly clientAddress: string;
  readonly requestId: string;
}

export type AccessLog = (record: AccessRecord) => void;

export function routeName({ kind, namespace, name }: RouteRule): string {
  return `${kind}/${namespace}/${name}`;
}

export function ruleName({ rule, ruleName: name }: RouteRule): string {
  return name === undefined ? String(rule) : `${rule}/${name}`;
}
