import { backendTlsCases } from "./cases/backend-tls.ts";
import { backendCases } from "./cases/backends.ts";
import { bodyLimitCases } from "./cases/body-limits.ts";
import { changesUnderLoadCases } from "./cases/changes-under-load.ts";
import { clientAddressCases } from "./cases/client-addresses.ts";
import { clientCertificateCases } from "./cases/client-certificates.ts";
import { connectTimeoutCases } from "./cases/connect-timeouts.ts";
import { corsCases } from "./cases/cors.ts";
import { externalAuthCases } from "./cases/external-auth.ts";
import { faultCases } from "./cases/faults.ts";
import { headerChangeCases } from "./cases/header-changes.ts";
import { healthCheckCases } from "./cases/health-checks.ts";
import { fallenRequestCases } from "./cases/fallen-requests.ts";
import { hostCases } from "./cases/hosts.ts";
import { idleTimeoutCases } from "./cases/idle-timeouts.ts";
import { lifeCycleCases } from "./cases/life-cycle.ts";
import { loadBalancingCases } from "./cases/load-balancing.ts";
import { matchingCases } from "./cases/matching.ts";
import { mirrorCases } from "./cases/mirrors.ts";
import { pathCases } from "./cases/paths.ts";
import { protocolCases } from "./cases/protocols.ts";
import { rateLimitCases } from "./cases/rate-limits.ts";
import { redirectCases } from "./cases/redirects.ts";
import { refusedRequestCases } from "./cases/refused-requests.ts";
import { retryCases } from "./cases/retries.ts";
import { rewriteCases } from "./cases/rewrites.ts";
import { sessionCases } from "./cases/sessions.ts";
import { smugglingCases } from "./cases/smuggling.ts";
import { splitAnswerCases } from "./cases/split-answers.ts";
import { streamCases } from "./cases/streams.ts";
import { timeoutCases } from "./cases/timeouts.ts";
import { tlsCases } from "./cases/tls.ts";
import { weightCases } from "./cases/weights.ts";
import type { ContractCase } from "./contract-case.ts";
import type { ContractContext } from "./plane.ts";

const all: readonly ContractCase[] = [
  ...lifeCycleCases,
  ...hostCases,
  ...fallenRequestCases,
  ...matchingCases,
  ...pathCases,
  ...headerChangeCases,
  ...redirectCases,
  ...rewriteCases,
  ...mirrorCases,
  ...corsCases,
  ...timeoutCases,
  ...idleTimeoutCases,
  ...clientAddressCases,
  ...rateLimitCases,
  ...bodyLimitCases,
  ...retryCases,
  ...weightCases,
  ...backendCases,
  ...connectTimeoutCases,
  ...loadBalancingCases,
  ...healthCheckCases,
  ...protocolCases,
  ...sessionCases,
  ...externalAuthCases,
  ...tlsCases,
  ...clientCertificateCases,
  ...backendTlsCases,
  ...streamCases,
  ...smugglingCases,
  ...refusedRequestCases,
  ...splitAnswerCases,
  ...faultCases,
  ...changesUnderLoadCases,
];

/** Every case; with `features`, those that a driver with these features has to pass. */
export function contractCases(features?: ReadonlySet<string>): readonly ContractCase[] {
  return features ? all.filter(({ feature }) => feature === undefined || features.has(feature)) : all;
}

export interface ContractOptions extends ContractContext {
  /** Names of cases, or of areas (what stands before the colon). */
  readonly only?: readonly string[];
  /** Hears of each result as it is there. */
  readonly onResult?: (result: CaseResult) => void;
}

export interface CaseResult {
  readonly name: string;
  readonly state: "passed" | "failed" | "skipped";
  /** Why it failed. */
  readonly error?: unknown;
  /** The feature for want of which it was skipped. */
  readonly feature?: string;
  /** ms */
  readonly duration: number;
}

export interface ContractResult {
  readonly results: readonly CaseResult[];
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Runs the cases one after another, each with a driver of its own. Never rejects for a case that fails, but for a name in `only` that there is not. */
export async function runContract(options: ContractOptions): Promise<ContractResult> {
  const { only, onResult, ...context } = options;
  const chosen = chooseCases(only);
  const { features } = await context.createDriver();
  const results: CaseResult[] = [];
  for (const contractCase of chosen) {
    const result = await runCase(contractCase, context, features);
    results.push(result);
    onResult?.(result);
  }
  const count = (state: CaseResult["state"]) => results.filter((result) => result.state === state).length;
  return { results, passed: count("passed"), failed: count("failed"), skipped: count("skipped") };
}

/** A name that chooses nothing is a slip: a run without cases must not look like one that passed. */
function chooseCases(only: readonly string[] | undefined): readonly ContractCase[] {
  if (!only) return all;
  const isMeant = (wanted: string) => (one: ContractCase) =>
    one.name === wanted || one.name.startsWith(`${wanted}: `);
  const unknown = only.filter((wanted) => !all.some(isMeant(wanted)));
  if (unknown.length > 0) {
    const areas = [...new Set(all.map(areaOf))].join(", ");
    throw new TypeError(`no case or area is called ${unknown.join(", ")}; areas are: ${areas}`);
  }
  return all.filter((one) => only.some((wanted) => isMeant(wanted)(one)));
}

function areaOf({ name }: ContractCase): string {
  return name.slice(0, name.indexOf(": "));
}

async function runCase(
  { name, feature, run }: ContractCase,
  context: ContractContext,
  features: ReadonlySet<string>,
): Promise<CaseResult> {
  if (feature !== undefined && !features.has(feature))
    return { name, state: "skipped", feature, duration: 0 };
  const begin = performance.now();
  const duration = () => Math.round(performance.now() - begin);
  try {
    await run(context);
    return { name, state: "passed", duration: duration() };
  } catch (error) {
    return { name, state: "failed", error, duration: duration() };
  }
}
