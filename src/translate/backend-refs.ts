// Follows a reference to a backend.
//
// Spec, in this order: is the kind known (InvalidKind), may the route refer to it (RefNotPermitted; asked before looking, so that
// nobody learns what exists elsewhere), is it there (BackendNotFound), can the route speak to it (UnsupportedProtocol).
// Whatever fails keeps its share of the traffic as an error. Endpoints are not looked at: they come and go without the route.

import type { BackendTarget, BackendTls } from "../model/index.ts";
import { isHostname, type BackendObjectReference, type Service } from "../resources/index.ts";
import { judgeAppProtocol, judgeXBackendProtocol, type Transport } from "./backend-protocols.ts";
import { describeAbsence } from "./absent-objects.ts";
import { missingFor, tlsPolicyFor } from "./backend-tls-policies.ts";
import { trafficPolicyFor } from "./backend-traffic-policies.ts";
import { backendUse, experimentalGroup, targetKey, type BackendUse } from "./backend-use.ts";
import type { ReferenceProblem } from "./content-problems.ts";
import type { MeshTrust } from "./gateway-mesh.ts";
import type { GatewayView } from "./gateway-view.ts";
import type { BackendExtras } from "./layers.ts";
import { judgeEndpointName } from "./endpoint-addresses.ts";
import { grantAdvice, permits } from "./reference-grants.ts";
import type { RouteContext } from "./route-context.ts";
import { describePorts, findServicePort } from "./service-ports.ts";
import { gatewayGroup } from "./settings.ts";

export interface ResolvedRef {
  readonly target: BackendTarget;
  /** What the model must carry for the target. */
  readonly use: BackendUse | undefined;
  /** `targetKey` of what is referred to, there or not, if the route may refer to it: policies on it concern the route. */
  readonly object: string | undefined;
  readonly problem: ReferenceProblem | undefined;
  /** What the user should know although the reference is fine. */
  readonly note?: string;
}

export interface RefQuestion {
  readonly ref: BackendObjectReference;
  /** `spec.rules[0].backendRefs[1]` */
  readonly field: string;
  readonly transport: Transport;
  /** What a rule of a layer says of the backend. */
  readonly extras?: BackendExtras | undefined;
}

export function resolveBackendRef(context: RouteContext, question: RefQuestion): ResolvedRef {
  const { ref, field } = question;
  const namespace = ref.namespace ?? context.namespace;
  const isService = ref.group === "" && ref.kind === "Service";
  const isXBackend = ref.group === experimentalGroup && ref.kind === "XBackend";
  const hasXBackends = context.gateway.features.has("XBackend");
  if (!isService && !(isXBackend && hasXBackends)) {
    const known = hasXBackends ? "Service or XBackend" : "Service";
    const problem = `${ref.kind} of group ${ref.group || "core"} is not a backend that is known here; use ${known}`;
    const isOwn = isXBackend && namespace === context.namespace;
    const object = isOwn ? targetKey(ref.group, ref.kind, namespace, ref.name) : undefined;
    return failed({ reason: "InvalidKind", field, problem }, object);
  }
  const from = { group: gatewayGroup, kind: context.kind, namespace: context.namespace };
  const reference = { from, to: { group: ref.group, kind: ref.kind, namespace, name: ref.name } };
  if (isXBackend && namespace !== context.namespace) {
    // GEP-4894: an XBackend says how its own namespace connects, so it is of no use to others, grant or no grant.
    const problem = `XBackend ${namespace}/${ref.name} must be in the route's own namespace ${context.namespace}`;
    return failed({ reason: "RefNotPermitted", field, problem });
  }
  if (!permits(context.read, context.inputs.permissions, reference)) {
    const problem = `${ref.kind} ${namespace}/${ref.name} is in another namespace; ${grantAdvice(reference)}`;
    return failed({ reason: "RefNotPermitted", field, problem });
  }
  if (context.mesh) {
    const problem = judgeMesh(context, question, context.mesh);
    if (problem) return failed(problem, targetKey(ref.group, ref.kind, namespace, ref.name));
  }
  return isService ? resolveService(context, question, namespace) : resolveXBackend(context, question);
}

/** A meshed route is served by mutual TLS or not at all. */
function judgeMesh(
  { gateway }: RouteContext,
  { field, transport }: RefQuestion,
  trust: MeshTrust,
): ReferenceProblem | undefined {
  const refuse = (reason: string, problem: string) => ({ reason, field, problem });
  if (!trust.ok) {
    const problem = `the route is meshed, but Gateway ${gateway.key} has no way into the mesh (${trust.problem})`;
    return refuse("InvalidMesh", problem);
  }
  if (transport === "udp") {
    return refuse("UnsupportedProtocol", "the route is meshed, and datagrams cannot be sent by mutual TLS");
  }
  const lacking = ["BackendTLSPolicy", "GatewayBackendClientCertificate"].find(
    (feature) => !gateway.features.has(feature),
  );
  return lacking === undefined ? undefined : refuse("InvalidMesh", cannotMesh(gateway, lacking));
}

function cannotMesh({ key }: GatewayView, feature: string, advice = ""): string {
  return `the route is meshed, which the proxy of Gateway ${key} cannot do (it lacks ${feature})${advice}`;
}

/** The mesh's part of a use, or what stands in the way. `names`: of the certificates of the backend, where somebody says them. */
function meshUse(
  { mesh, gateway }: RouteContext,
  names: Pick<BackendTls, "hostname" | "subjectAltNames"> | undefined,
): Pick<BackendUse, "mesh" | "clientCertificate"> | string | undefined {
  if (!mesh?.ok) return undefined;
  const isNamed = names !== undefined && (names.hostname !== undefined || names.subjectAltNames.length > 0);
  if (!isNamed && !gateway.features.has("BackendChainValidation")) {
    const advice =
      "; say with a BackendTLSPolicy for the Service which name is in the certificates of its workloads";
    return cannotMesh(gateway, "BackendChainValidation", advice);
  }
  return { mesh: mesh.bundle, clientCertificate: mesh.clientCertificate };
}

function resolveService(context: RouteContext, question: RefQuestion, namespace: string): ResolvedRef {
  const { ref, field, transport, extras } = question;
  const { read, inputs, gateway } = context;
  const object = targetKey("", "Service", namespace, ref.name);
  const named = `Service ${namespace}/${ref.name}`;
  const refuse = (reason: string, problem: string) => failed({ reason, field, problem }, object);

  const service = read.one(inputs.services, `${namespace}/${ref.name}`);
  if (!service)
    return refuse("BackendNotFound", `${named} ${absenceOf("Service", namespace, ref.name, context)}`);
  if (ref.port === undefined)
    return refuse("BackendNotFound", `port is missing; ${named}: ${describePorts(service)}`);
  const external = judgeExternalName(service, context);
  if (external !== undefined) return refuse("InvalidKind", `${named} ${external}`);

  const wanted = transport === "udp" ? "UDP" : "TCP";
  const port = findServicePort(service, ref.port, wanted);
  // A Service of type ExternalName needs no ports; with some, it has these only.
  if (!port && (service.spec.type !== "ExternalName" || service.spec.ports.length > 0)) {
    const other = service.spec.ports.find((one) => one.port === ref.port);
    if (!other)
      return refuse("BackendNotFound", `${named} has no port ${ref.port}; ${describePorts(service)}`);
    const problem = `port ${ref.port} of ${named} is ${other.protocol}, and ${context.kind} needs ${wanted}`;
    return refuse("UnsupportedProtocol", problem);
  }

  // TLS is for streams: a policy on a Service says nothing on its datagrams.
  const policy =
    transport === "udp" || extras?.tls
      ? undefined
      : tlsPolicyFor(read.all(inputs.tlsPolicies.byTarget, object), object, port?.name);
  // Into a mesh, TLS of the client's own goes within that of the mesh, which ends before the workload.
  const passthrough = transport === "passthrough" && policy !== undefined && !context.mesh;
  const usesPolicy = policy !== undefined && !passthrough;
  const meshed = meshUse(context, extras?.tls ?? policy?.tls);
  if (typeof meshed === "string") return refuse("InvalidMesh", meshed);
  const usesTls = usesPolicy || extras?.tls !== undefined || meshed !== undefined;
  const lacking = extras && missingExtra(extras, gateway.features);
  if (lacking !== undefined) {
    const problem = `the proxy of Gateway ${gateway.key} cannot do what is asked for ${named} (it lacks ${lacking})`;
    return refuse("UnsupportedValue", problem);
  }
  if (usesPolicy) {
    const missing = missingFor(policy, (feature) => gateway.features.has(feature));
    if (missing !== undefined) {
      const problem = `BackendTLSPolicy ${policy.age.name} asks for TLS to ${named}, which the proxy of Gateway ${gateway.key} cannot do (it lacks ${missing})`;
      return refuse("InvalidBackendTLSPolicy", problem);
    }
  }
  const spoken = judgeAppProtocol({
    transport,
    appProtocol: extras?.protocol ?? port?.appProtocol,
    usesTls,
    features: gateway.features,
  });
  if (spoken.protocol === undefined) {
    return refuse("UnsupportedProtocol", `port ${ref.port} of ${named}: ${spoken.problem}`);
  }
  const use = backendUse({
    kind: "Service",
    namespace,
    name: ref.name,
    port: ref.port,
    protocol: spoken.protocol,
    passthrough,
    clientCertificate: usesPolicy ? gateway.clientCertificate : undefined,
    ignoresRetryBudget: ignoresRetryBudget(context, object),
    ...(extras && { extras }),
    ...meshed,
  });
  // Spec: a policy that cannot be met makes the reference invalid. The backend stays, and fails by trusting nobody.
  const problem =
    usesPolicy && policy.accepted.status !== "True"
      ? {
          reason: "InvalidBackendTLSPolicy",
          field,
          problem: `${named} cannot be reached: BackendTLSPolicy ${policy.age.name} is not accepted (${policy.accepted.message})`,
        }
      : undefined;
  const left = read.one(inputs.refusedEndpoints, `${namespace}/${ref.name}`);
  const resolved = found(use, object, problem);
  return left === undefined ? resolved : { ...resolved, note: `${field}: ${named}: ${left}` };
}

const featureOfExtra = {
  tls: "BackendTLSPolicy",
  connectTimeout: "ConnectTimeout",
  loadBalancing: "LoadBalancing",
  healthCheck: "HealthCheck",
} as const;

function missingExtra(extras: BackendExtras, features: ReadonlySet<string>): string | undefined {
  const verifiesNames = extras.tls !== undefined && extras.tls.subjectAltNames.length > 0;
  if (verifiesNames && !features.has("BackendTLSPolicySANValidation")) return "BackendTLSPolicySANValidation";
  return Object.entries(featureOfExtra).find(
    ([name, feature]) => extras[name as keyof typeof featureOfExtra] !== undefined && !features.has(feature),
  )?.[1];
}

/** Backends are shared by Gateways, whose proxies may differ in what they can do. */
function ignoresRetryBudget({ read, inputs, gateway }: RouteContext, object: string): boolean {
  const { features } = gateway;
  if (features.has("RetryConstraint") && features.has("SessionPersistence")) return false;
  const policies = read.all(inputs.trafficPolicies.byTarget, object);
  const asked = trafficPolicyFor(policies, () => true)?.retryBudget;
  return asked !== undefined && !trafficPolicyFor(policies, (feature) => features.has(feature));
}

/** Spec: ExternalName Services should not be supported; an admin may know better. */
function judgeExternalName({ spec }: Service, { inputs }: RouteContext): string | undefined {
  if (spec.type !== "ExternalName") return undefined;
  const { settings } = inputs;
  if (!settings.allowExternalNames) {
    return "is of type ExternalName, by which a namespace can reach what it may not (CVE-2021-32783, GHSA-5ph6-qq5x-7jwc); use an XBackend, or have the admin allow external names";
  }
  const name = (spec.externalName ?? "").toLowerCase().replace(/\.$/, "");
  const problem = isHostname(name) ? judgeEndpointName(name, settings) : "is not a DNS name";
  return problem === undefined ? undefined : `has the externalName ${name}, which ${problem}`;
}

function resolveXBackend(context: RouteContext, { ref, field, transport }: RefQuestion): ResolvedRef {
  const { namespace } = context;
  const object = targetKey(experimentalGroup, "XBackend", namespace, ref.name);
  const named = `XBackend ${namespace}/${ref.name}`;
  const refuse = (reason: string, problem: string) => failed({ reason, field, problem }, object);

  const xBackend = context.read.one(context.inputs.xBackends, `${namespace}/${ref.name}`);
  if (!xBackend)
    return refuse("BackendNotFound", `${named} ${absenceOf("XBackend", namespace, ref.name, context)}`);
  if (xBackend.isRefused) return refuse("InvalidBackend", `${named}: ${xBackend.accepted.message}`);
  if (ref.port !== undefined && ref.port !== xBackend.port) {
    return refuse("BackendNotFound", `${named} has no port ${ref.port}; it has ${xBackend.port}`);
  }
  const spoken = judgeXBackendProtocol(transport, xBackend.protocol);
  if (spoken.protocol === undefined) return refuse("UnsupportedProtocol", `${named}: ${spoken.problem}`);
  const meshed = meshUse(context, xBackend.tls);
  if (typeof meshed === "string") return refuse("InvalidMesh", meshed);
  const use = backendUse({
    kind: "XBackend",
    namespace,
    name: ref.name,
    port: xBackend.port,
    protocol: spoken.protocol,
    passthrough: transport === "passthrough" && xBackend.tls !== undefined && !meshed,
    clientCertificate: undefined,
    ignoresRetryBudget: ignoresRetryBudget(context, object),
    ...meshed,
  });
  const problem =
    xBackend.accepted.status === "True"
      ? undefined
      : { reason: "InvalidBackend", field, problem: `${named}: ${xBackend.accepted.message}` };
  return found(use, object, problem);
}

function absenceOf(kind: string, namespace: string, name: string, { read, inputs }: RouteContext): string {
  return describeAbsence(read, inputs.resources.invalidObjects, kind, `${namespace}/${name}`);
}

function found(use: BackendUse, object: string, problem: ReferenceProblem | undefined): ResolvedRef {
  return { target: { type: "backend", backend: use.key }, use, object, problem };
}

function failed(problem: ReferenceProblem, object?: string): ResolvedRef {
  const target = errorTarget(`${problem.field}: ${problem.problem}`);
  return { target, use: undefined, object, problem };
}

export function errorTarget(reason: string): BackendTarget {
  return { type: "error", status: 500, reason };
}
