// The backends of a route or TCP proxy.
//
// Spec: weights are relative; if none is said all are alike, and if some are, the others get nothing. A service can be a mirror, one for each route, of a share of
// the requests. The protocol is the service's own word, or that of an annotation on the Service object.
// With `tls` and `h2` the backend's certificate is always verified: without `validation` there is nothing to verify it with, so such a service is refused.

import type { Collection, Read } from "../../incremental/index.ts";
import type { BackendTls, HealthCheck, LoadBalancing, SubjectAltName } from "../../model/index.ts";
import {
  isHostname,
  type HTTPBackendRef,
  type HTTPProxyService,
  type HTTPRouteFilter,
  type Service,
} from "../../resources/index.ts";
import type { BackendExtras } from "../layers.ts";
import { findServicePort } from "../service-ports.ts";
import type { FindingList } from "./findings.ts";
import { judgeHeaderPolicy } from "./header-policies.ts";
import { notSupported, problem } from "./proxy-problem.ts";
import {
  caKey,
  delegationAdvice,
  lookUpCaBundle,
  mayUse,
  secretNameOf,
  type SecretInputs,
} from "./secrets.ts";

export interface ServiceInputs extends SecretInputs {
  readonly services: Collection<Service>;
}

export interface ServiceQuestion {
  readonly namespace: string;
  /** `spec.routes[0].services[1]` */
  readonly field: string;
  readonly read: Read;
  readonly inputs: ServiceInputs;
  readonly loadBalancing: LoadBalancing | undefined;
  readonly healthCheck: HealthCheck | undefined;
  /** ms */
  readonly idleConnection: number | undefined;
  /** What Host becomes on the way to all services of the route. */
  readonly host: string | undefined;
}

export interface JudgedService {
  readonly ref: HTTPBackendRef;
  readonly extras: BackendExtras | undefined;
}

export function judgeService(
  service: HTTPProxyService,
  question: ServiceQuestion,
  findings: FindingList,
): JudgedService | undefined {
  const { field, namespace, loadBalancing, healthCheck, idleConnection } = question;
  const before = findings.errors.length;
  const filters = judgeHeaders(service, question, findings);
  const spoken = judgeProtocol(service, { ...question, host: filters.host ?? question.host }, findings);
  if (service.cookieRewritePolicies && service.cookieRewritePolicies.length > 0) {
    const why = "attributes of cookies are left to the backend that sets them";
    findings.error(notSupported("ServiceError", `${field}.cookieRewritePolicies`, why));
  }
  if (service.slowStartPolicy !== undefined) {
    const message = `${field}.slowStartPolicy is left out: new endpoints get their share at once`;
    findings.warn(problem("ServiceError", "IgnoredField", message));
  }
  if (healthCheck && service.healthPort !== undefined && service.healthPort !== service.port) {
    const why = "endpoints are asked on the port that requests go to";
    findings.error(notSupported("ServiceError", `${field}.healthPort`, why));
  }
  if (findings.errors.length > before) return undefined;
  const extras: BackendExtras = {
    ...spoken,
    ...(idleConnection !== undefined && { idleTimeout: idleConnection }),
    ...(loadBalancing && { loadBalancing }),
    ...(healthCheck && { healthCheck }),
  };
  return {
    ref: {
      group: "",
      kind: "Service",
      namespace,
      name: service.name,
      port: service.port,
      weight: 1,
      ...(filters.list.length > 0 && { filters: filters.list }),
    },
    extras: Object.keys(extras).length > 0 ? extras : undefined,
  };
}

function judgeHeaders(
  { name, port, requestHeadersPolicy, responseHeadersPolicy }: HTTPProxyService,
  { field, namespace }: ServiceQuestion,
  findings: FindingList,
): { readonly list: readonly HTTPRouteFilter[]; readonly host: string | undefined } {
  const variables = new Map([
    ["CONTOUR_NAMESPACE", namespace],
    ["CONTOUR_SERVICE_NAME", name],
    ["CONTOUR_SERVICE_PORT", String(port)],
  ]);
  const request = judgeHeaderPolicy(requestHeadersPolicy, { of: "request", variables });
  const response = judgeHeaderPolicy(responseHeadersPolicy, { of: "response", variables });
  if ("wrong" in request) {
    const message = `${field}.requestHeadersPolicy.${request.wrong}`;
    findings.error(problem("ServiceError", "RequestHeadersPolicyInvalid", message));
  }
  if ("wrong" in response) {
    const message = `${field}.responseHeadersPolicy.${response.wrong}`;
    findings.error(problem("ServiceError", "ResponseHeadersPolicyInvalid", message));
  }
  const changes = "value" in request ? request.value : undefined;
  return {
    list: headerFilters(changes, "value" in response ? response.value : undefined),
    host: changes?.host,
  };
}

/** The filters of an HTTPRoute that do what the policies say. */
export function headerFilters(
  request:
    | { readonly filter: HTTPRouteFilter["requestHeaderModifier"]; readonly host: string | undefined }
    | undefined,
  response: { readonly filter: HTTPRouteFilter["responseHeaderModifier"] } | undefined,
): readonly HTTPRouteFilter[] {
  return [
    ...(request?.filter
      ? [{ type: "RequestHeaderModifier", requestHeaderModifier: request.filter } as const]
      : []),
    ...(response?.filter
      ? [{ type: "ResponseHeaderModifier", responseHeaderModifier: response.filter } as const]
      : []),
    ...(request?.host === undefined
      ? []
      : [{ type: "URLRewrite", urlRewrite: { hostname: request.host } } as const]),
  ];
}

const annotated = ["h2", "h2c", "tls"] as const;

/** `projectcontour.io/upstream-protocol.tls: "443,https"` on the Service. */
function annotatedProtocol({ name, port }: HTTPProxyService, { read, inputs, namespace }: ServiceQuestion) {
  const object = read.one(inputs.services, `${namespace}/${name}`);
  const portName = object && findServicePort(object, port, "TCP")?.name;
  return annotated.find((protocol) => {
    const ports = object?.metadata.annotations[`projectcontour.io/upstream-protocol.${protocol}`] ?? "";
    const listed = ports.split(",").map((text) => text.trim());
    return (
      listed.includes(String(port)) ||
      (portName !== undefined && portName !== "" && listed.includes(portName))
    );
  });
}

function judgeProtocol(
  service: HTTPProxyService,
  question: ServiceQuestion,
  findings: FindingList,
): Pick<BackendExtras, "protocol" | "tls"> | undefined {
  const { field } = question;
  const protocol = service.protocol ?? annotatedProtocol(service, question);
  if (protocol === undefined) return undefined;
  if (protocol === "h2c") return { protocol: "h2c" };
  if (service.validation === undefined) {
    const message = `${field}: protocol ${protocol} needs validation (caSecret and subjectName): certificates of backends are always verified`;
    return findings.error(problem("ServiceError", "TLSUpstreamValidation", message));
  }
  const tls = judgeUpstreamTls(service, question, findings);
  return tls && { protocol: "http", tls };
}

function judgeUpstreamTls(
  { name, validation }: HTTPProxyService,
  { field, namespace, read, inputs, host }: ServiceQuestion,
  findings: FindingList,
): BackendTls | undefined {
  if (validation === undefined) return undefined;
  const { caSecret, subjectName, subjectNames = [subjectName] } = validation;
  const secret = secretNameOf(caSecret, namespace);
  if (!mayUse(read, inputs, secret, namespace)) {
    const message = `${field}.validation.caSecret: Secret ${caSecret} is in another namespace; ${delegationAdvice(secret, namespace)}`;
    return findings.error(problem("TLSError", "CACertificateNotDelegated", message));
  }
  const bundle = lookUpCaBundle(read, inputs, secret);
  if (!bundle.ok) {
    const message = `${field}.validation.caSecret: Secret ${secret.namespace}/${secret.name} ${bundle.problem}`;
    return findings.error(problem("ServiceError", "TLSUpstreamValidation", message));
  }
  const names: SubjectAltName[] = subjectNames.map((value) => ({
    type: value.includes("://") ? "uri" : "hostname",
    value,
  }));
  const bad = names.find(({ type, value }) =>
    type === "uri" ? !/^[!-~]+$/.test(value) : !isHostname(value.toLowerCase()),
  );
  if (bad) {
    const message = `${field}.validation.subjectName: ${JSON.stringify(bad.value)} is neither a DNS name nor a URI`;
    return findings.error(problem("ServiceError", "TLSUpstreamValidation", message));
  }
  const [first] = names;
  const named = host?.replace(/:[0-9]+$/, "").toLowerCase();
  const serverName =
    named !== undefined && isHostname(named)
      ? named
      : first?.type === "hostname"
        ? first.value.toLowerCase()
        : `${name}.${namespace}.svc`;
  const isSame = names.length === 1 && first?.type === "hostname" && first.value.toLowerCase() === serverName;
  return { hostname: serverName, trusted: [caKey(secret)], subjectAltNames: isSame ? [] : names };
}

/** Weights as the API has them, of services that are no mirrors. */
export function weightsOf(services: readonly HTTPProxyService[]): readonly number[] {
  const given = services.map(({ weight = 0 }) => Math.min(weight, heaviest));
  return given.every((weight) => weight === 0) ? given.map(() => 1) : given;
}

/** The Gateway API's own limit. */
const heaviest = 1_000_000;
