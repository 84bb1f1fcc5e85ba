/*
 * What of a route has to be in NGINX's configuration, because no variable can stand there: time-outs, the answers that are tried again, the
 * authorities that are trusted. Each combination in use is a profile, and has locations of its own. All else is data for
 * the scripts, so a change needs a new configuration only where it brings a combination that was not there.
 */
import type { RuleAction } from "../../../model/index.ts";

export interface Profile {
  /** `h`: HTTP/1.1. `g`: gRPC. `b`: HTTP/2 for what is no gRPC. */
  readonly kind: "h" | "g" | "b";
  /** Number of the bundle of trusted authorities, for TLS. */
  readonly trust: number | undefined;
  /** Between two bytes from the backend, ms; `undefined`: the usual one, 0: none. */
  readonly timeout: number | undefined;
  /** Answers that are tried again; `undefined`: no retry. */
  readonly codes: readonly number[] | undefined;
  /** Bytes that a request's body may have. */
  readonly mostBody: number | undefined;
}

type ActionPart = Pick<Profile, "timeout" | "codes" | "mostBody">;

export const usualAction: ActionPart = { timeout: undefined, codes: undefined, mostBody: undefined };

export function profileOfAction({
  timeouts,
  retry,
  maxBodySize,
}: Pick<RuleAction, "timeouts" | "retry" | "maxBodySize">): ActionPart {
  const given = [timeouts.backendRequest, timeouts.request];
  const lengths = given.filter((length): length is number => length !== undefined && length > 0);
  const isOff = given.includes(0);
  const timeout = lengths.length > 0 ? Math.min(...lengths) : isOff ? 0 : undefined;
  const codes = retry ? [...new Set(retry.statusCodes)].filter(isRetried).sort((a, b) => a - b) : undefined;
  return { timeout, codes, mostBody: maxBodySize };
}

/** What `error_page` takes. */
function isRetried(code: number): boolean {
  return Number.isInteger(code) && code >= 400 && code <= 599 && code !== failed;
}

/** How a try that failed is told from all answers of backends. */
export const failed = 597;

/** The part of a location's name that an action knows. */
export function nameOfAction({ timeout, codes, mostBody }: ActionPart): string {
  const parts = [
    timeout === undefined ? "" : `t${timeout}`,
    codes === undefined ? "" : `r${codes.join("_")}`,
    mostBody === undefined ? "" : `m${mostBody}`,
  ];
  return parts.join("") || "default";
}

export function nameOfKind({ kind, trust }: Pick<Profile, "kind" | "trust">): string {
  return `${kind}${trust ?? ""}`;
}

export function nameOfProfile(profile: Profile): string {
  return `${nameOfKind(profile)}.${nameOfAction(profile)}`;
}
