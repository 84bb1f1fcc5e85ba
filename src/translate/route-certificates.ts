/*
 * RouteCertificate: the certificates of a route's hostnames instead of its listener's.
 *
 * A policy claims, on each HTTPS section that takes its route and allows it, the hostnames that the route has there. Of several claims on one
 * hostname of a port the oldest policy's holds, also while its certificates are no good: then the listener's own are shown, and no younger
 * policy steps in.
 */
import type { Collection, Graph, Read } from "../incremental/index.ts";
import type { ServerName } from "../model/index.ts";
import { ownGroup, type RouteCertificate } from "../resources/index.ts";
import { verdict, type Verdict } from "../status/index.ts";
import type { AttachedRoute } from "./attached-routes.ts";
import { resolveCertificateRefs, type CertificateInputs } from "./certificate-refs.ts";
import type { GatewayView } from "./gateway-view.ts";
import { refusalOfCertificates, type ItemStates } from "./item-states.ts";
import type { ResolvedSection } from "./listeners.ts";
import { ageOf, compareAge, type Aged } from "./object-age.ts";
import { ancestorOf, ancestorStatuses, type Ancestor } from "./policy-ancestors.ts";
import { notProgrammed } from "./refused-routes.ts";
import type { Resources } from "./resources.ts";
import { allowsRouteCertificates, certificateOption, type Section } from "./section.ts";
import { ownerOfHostname, type HostnameOwners } from "./served-hostnames.ts";
import { gatewayGroup, type TranslateSettings } from "./settings.ts";

interface JudgedPolicy {
  readonly age: Aged;
  /** Keys of routes, with the field that names each. */
  readonly targets: readonly { readonly route: string; readonly field: string }[];
  readonly certificates: readonly string[];
  readonly targetProblem: Verdict | undefined;
  readonly resolvedRefs: Verdict;
}

interface Claim {
  readonly policy: string;
  readonly age: Aged;
  readonly gateway: string;
  readonly section: string;
  readonly listener: string;
  readonly hostname: string;
  readonly certificates: readonly string[];
}

export interface RouteCertificateInputs extends CertificateInputs {
  readonly resources: Resources;
  readonly attached: Collection<AttachedRoute>;
  readonly sections: Collection<Section>;
  readonly serving: Collection<ResolvedSection>;
  readonly owners: HostnameOwners;
  readonly gatewayViews: Collection<GatewayView>;
  readonly itemStates: ItemStates;
  readonly settings: TranslateSettings;
}

export function routeCertificates(graph: Graph, inputs: RouteCertificateInputs) {
  const { resources, attached, serving, owners, sections } = inputs;
  const judged = graph.map("route certificates", resources.routeCertificates, (policy, read) =>
    judgePolicy(policy, read, inputs),
  );
  const claims = graph.derive("claims of route certificates", judged, function* (policy, read): Generator<
    [string, Claim]
  > {
    const { age, certificates, targets } = policy;
    for (const { route } of targets) {
      for (const { attachments, translation } of read.one(attached, route)?.parents ?? []) {
        for (const { section, listener, hostnames } of attachments) {
          const one = read.one(sections, section);
          if (!one || !translation || !allowsRouteCertificates(one)) continue;
          for (const hostname of hostnames) {
            if (ownerOfHostname(read, owners, listener, hostname) !== section) continue;
            const gateway = translation.gateway.key;
            const claim = { policy: age.name, age, gateway, section, listener, hostname, certificates };
            yield [`${listener}|${hostname}|${age.name}`, claim];
          }
        }
      }
    }
  });
  const claimsByHostname = graph.index("route certificates by hostname", claims, ({ listener, hostname }) => [
    `${listener}|${hostname}`,
  ]);
  const holders = graph.map("holders of route certificates", claimsByHostname, (group) =>
    group.reduce((oldest, claim) => (compareAge(claim.age, oldest.age) < 0 ? claim : oldest)),
  );
  const serverNames = graph.map(
    "server names of route certificates",
    holders,
    ({ certificates, section, listener, hostname }, read, key): ServerName | undefined =>
      certificates.length > 0 && read.one(serving, section)
        ? { key, listener, hostname, section, action: { type: "http", certificates } }
        : undefined,
  );
  const claimsByPolicy = graph.index("claims by route certificate", claims, ({ policy }) => [policy]);
  const statuses = graph.derive(
    "route certificate statuses",
    resources.routeCertificates,
    (policy, read, key) => {
      const one = read.one(judged, key);
      if (!one) return [];
      const own = read.all(claimsByPolicy, key);
      const refusal =
        own.length > 0 ? refusalOfCertificates(one.certificates, read, inputs.itemStates) : undefined;
      const report = {
        shape: "ancestors",
        ancestors: ancestorsOf(one, read, inputs),
        conditionsFor: ({ key: gateway }: Ancestor) => [
          judgeClaims(
            one,
            gateway,
            own.filter((claim) => claim.gateway === gateway),
            (claim) => read.one(holders, `${claim.listener}|${claim.hostname}`),
          ),
          one.resolvedRefs,
          ...(refusal === undefined ? [] : [notProgrammed(refusal)]),
        ],
      } as const;
      return ancestorStatuses(policy, report, inputs.settings);
    },
  );
  /** Whether a policy claims anything, by its key: only then are its Secrets looked at. */
  const isUsed = (read: Read, key: string) => read.all(claimsByPolicy, key).length > 0;
  return { serverNames, statuses, isUsed };
}

function judgePolicy(
  { metadata, spec }: RouteCertificate,
  read: Read,
  inputs: RouteCertificateInputs,
): JudgedPolicy {
  const { namespace } = metadata;
  const from = { group: ownGroup, kind: "RouteCertificate", namespace };
  const question = { refs: spec.certificateRefs, field: "spec.certificateRefs", from };
  const { keys, problem } = resolveCertificateRefs(question, read, inputs);
  const isRoute = ({ group, kind }: { readonly group: string; readonly kind: string }) =>
    group === gatewayGroup && (kind === "HTTPRoute" || kind === "GRPCRoute");
  const other = spec.targetRefs.findIndex((ref) => !isRoute(ref));
  return {
    age: ageOf(metadata),
    targets: spec.targetRefs.flatMap((ref, index) =>
      isRoute(ref)
        ? [{ route: `${ref.kind}/${namespace}/${ref.name}`, field: `spec.targetRefs[${index}]` }]
        : [],
    ),
    certificates: keys,
    targetProblem:
      other < 0
        ? undefined
        : verdict(
            "Accepted",
            "False",
            "Invalid",
            `spec.targetRefs[${other}]: ${spec.targetRefs[other]?.kind} has no hostnames to certify; target an HTTPRoute or a GRPCRoute`,
          ),
    resolvedRefs: problem ?? verdict("ResolvedRefs", "True", "ResolvedRefs", "All references are resolved"),
  };
}

/** The Gateways of its routes, by name. */
function ancestorsOf(
  { targets }: JudgedPolicy,
  read: Read,
  { attached, gatewayViews }: RouteCertificateInputs,
): readonly Ancestor[] {
  const keys = targets.flatMap(({ route }) =>
    (read.one(attached, route)?.translations ?? []).map(({ gateway }) => gateway.key),
  );
  return [...new Set(keys)].toSorted().flatMap((key) => {
    const view = read.one(gatewayViews, key);
    return view ? [ancestorOf(view)] : [];
  });
}

function judgeClaims(
  { age, targetProblem }: JudgedPolicy,
  gateway: string,
  claims: readonly Claim[],
  holderOf: (claim: Claim) => Claim | undefined,
): Verdict {
  if (targetProblem) return targetProblem;
  if (claims.length === 0) {
    const message = `no HTTPS listener of Gateway ${gateway} that takes the route allows it; its owner can set tls.options {${certificateOption}: Allow}`;
    return verdict("Accepted", "False", "NotAllowed", message);
  }
  const lost = claims.flatMap((claim) => {
    const holder = holderOf(claim);
    return holder && holder.policy !== age.name ? [`${claim.hostname} (${holder.policy})`] : [];
  });
  const hostnames = [...new Set(lost)].toSorted().join(", ");
  if (lost.length === claims.length) {
    const message = `older RouteCertificates have all of its hostnames: ${hostnames}`;
    return verdict("Accepted", "False", "Conflicted", message);
  }
  const rest = hostnames === "" ? "" : `, but older RouteCertificates have these hostnames: ${hostnames}`;
  return verdict("Accepted", "True", "Accepted", `The policy is accepted${rest}`);
}
