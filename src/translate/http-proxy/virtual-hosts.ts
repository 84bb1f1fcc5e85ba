// The virtual host of a root: what holds for all of its routes, and whether it can be served at all.
//
// Spec: TLS needs a Secret, of the root's own namespace or delegated to it, or `passthrough`, and not both. What protects a virtual host and cannot be had makes the root invalid:
// nothing of it is served.

import type { Read } from "../../incremental/index.ts";
import type { HTTPProxy, HTTPProxyTLS, HTTPProxyVirtualHost } from "../../resources/index.ts";
import { judgeClientAddresses } from "./client-addresses.ts";
import { judgeCors } from "./cors.ts";
import type { FindingList } from "./findings.ts";
import type { VirtualHostPolicies } from "./placed-routes.ts";
import { notSupported, problem } from "./proxy-problem.ts";
import { judgeRateLimit } from "./rate-limits.ts";
import {
  delegationAdvice,
  lookUpKeyPair,
  mayUse,
  secretNameOf,
  type SecretInputs,
  type SecretName,
} from "./secrets.ts";

export interface JudgedVirtualHost {
  /** Lower case. */
  readonly hostname: string;
  /** Absent: plain HTTP only. */
  readonly tls?: { readonly passthrough: boolean; readonly certificate: SecretName | undefined };
  readonly policies: VirtualHostPolicies;
}

export interface VirtualHostQuestion {
  readonly read: Read;
  readonly inputs: SecretInputs;
  /** `namespace/name` of all roots with the same name that may be one, this one too. */
  readonly claimants: readonly string[];
  readonly rootNamespaces: readonly string[] | undefined;
}

/** Roots elsewhere are not served, and take no name from those that are. */
export function mayBeRoot({ metadata }: HTTPProxy, namespaces: readonly string[] | undefined): boolean {
  return !namespaces || namespaces.length === 0 || namespaces.includes(metadata.namespace);
}

/** Undefined: not served, and `findings` says why. */
export function judgeVirtualHost(
  root: HTTPProxy,
  virtualhost: HTTPProxyVirtualHost,
  question: VirtualHostQuestion,
  findings: FindingList,
): JudgedVirtualHost | undefined {
  const { namespace } = root.metadata;
  const hostname = virtualhost.fqdn.toLowerCase();
  const { claimants, rootNamespaces } = question;
  if (!mayBeRoot(root, rootNamespaces)) {
    const message = `an HTTPProxy with a virtualhost must be in one of the namespaces ${(rootNamespaces ?? []).join(", ")}, not in ${namespace}`;
    return findings.error(problem("RootNamespaceError", "RootProxyNotAllowedInNamespace", message));
  }
  if (claimants.length > 1) {
    const message = `spec.virtualhost.fqdn: ${hostname} is used by several HTTPProxies, so none of them is served: ${claimants.join(", ")}`;
    return findings.error(problem("VirtualHostError", "DuplicateVhost", message));
  }
  const { routes = [], includes = [], tcpproxy } = root.spec;
  if (routes.length === 0 && includes.length === 0 && !tcpproxy) {
    const message = "spec must have at least one of routes, includes and tcpproxy";
    return findings.error(problem("SpecError", "NothingDefined", message));
  }
  const before = findings.errors.length;
  refuseAuthorization(virtualhost, findings);
  const tls = virtualhost.tls && judgeTls(virtualhost.tls, namespace, question, findings);
  if (tls?.passthrough && !tcpproxy) {
    const message = "spec.virtualhost.tls.passthrough: there is no spec.tcpproxy that TLS could be passed to";
    findings.error(problem("TLSError", "TLSConfigNotValid", message));
  }
  if (tcpproxy && !virtualhost.tls) {
    const message =
      "spec.tcpproxy: connections are told apart by TLS's server name, so spec.virtualhost.tls must have passthrough or secretName";
    findings.error(problem("TCPProxyError", "TLSMustBeConfigured", message));
  }
  const cors = judgeCors(virtualhost.corsPolicy, "spec.virtualhost.corsPolicy", findings);
  const clientAddresses = judgeClientAddresses(virtualhost, "spec.virtualhost", findings);
  const rateLimit = judgeRateLimit(
    virtualhost.rateLimitPolicy,
    { type: "VirtualHostError", field: "spec.virtualhost.rateLimitPolicy" },
    findings,
  );
  if (rateLimit) {
    const message =
      "spec.virtualhost.rateLimitPolicy: requests are counted for each route by itself, not for all of the virtual host together";
    findings.warn(problem("VirtualHostError", "CountedPerRoute", message));
  }
  if (findings.errors.length > before) return undefined;
  return {
    hostname,
    ...(tls && { tls }),
    policies: {
      ...(cors && { cors }),
      ...(clientAddresses && { clientAddresses }),
      ...(rateLimit && { rateLimit }),
    },
  };
}

function refuseAuthorization(
  { authorization, jwtProviders }: HTTPProxyVirtualHost,
  findings: FindingList,
): void {
  if (authorization !== undefined) {
    const why =
      "it needs Contour's ExtensionService; protect the routes by an HTTPRoute with an ExternalAuth filter";
    findings.error(notSupported("AuthError", "spec.virtualhost.authorization", why));
  }
  if (jwtProviders && jwtProviders.length > 0) {
    const why = "tokens are not verified by this gateway";
    findings.error(notSupported("JWTVerificationError", "spec.virtualhost.jwtProviders", why));
  }
}

function judgeTls(
  tls: HTTPProxyTLS,
  namespace: string,
  { read, inputs }: VirtualHostQuestion,
  findings: FindingList,
): JudgedVirtualHost["tls"] {
  const field = "spec.virtualhost.tls";
  const passthrough = tls.passthrough ?? false;
  const secretName = tls.secretName ?? "";
  if (passthrough === (secretName !== "")) {
    const message = `${field} must have secretName or passthrough, and not both`;
    return findings.error(problem("TLSError", "TLSConfigNotValid", message));
  }
  if (tls.enableFallbackCertificate === true) {
    const why =
      "a client that names no server gets the certificate of the Gateway's listener without hostname, if it has one";
    return findings.error(notSupported("TLSError", `${field}.enableFallbackCertificate`, why));
  }
  if (passthrough) {
    if (tls.clientValidation) {
      const message = `${field}: with passthrough it is the backend that sees certificates of clients; remove clientValidation`;
      return findings.error(problem("TLSError", "TLSIncompatibleFeatures", message));
    }
    return { passthrough, certificate: undefined };
  }
  judgeVersions(tls, field, findings);
  if (tls.clientValidation) {
    const why = "client certificates are asked for by port, in the Gateway's spec.tls.frontend";
    findings.error(notSupported("TLSError", `${field}.clientValidation`, why));
  }
  const secret = secretNameOf(secretName, namespace);
  if (!mayUse(read, inputs, secret, namespace)) {
    const message = `${field}.secretName: Secret ${secretName} is in another namespace; ${delegationAdvice(secret, namespace)}`;
    return findings.error(problem("TLSError", "DelegationNotPermitted", message));
  }
  const pair = lookUpKeyPair(read, inputs, secret);
  if (!pair.ok) {
    const message = `${field}.secretName: Secret ${secret.namespace}/${secret.name} ${pair.problem}`;
    return findings.error(problem("TLSError", "SecretNotValid", message));
  }
  return { passthrough, certificate: secret };
}

/** Spec: any other text is the default, 1.2 at least and 1.3 at most. */
function judgeVersions(
  { minimumProtocolVersion, maximumProtocolVersion }: HTTPProxyTLS,
  field: string,
  findings: FindingList,
): void {
  if (minimumProtocolVersion === "1.3" && maximumProtocolVersion === "1.2") {
    const message = `${field}: minimumProtocolVersion must not be above maximumProtocolVersion`;
    findings.error(problem("TLSError", "TLSConfigNotValid", message));
  } else if (minimumProtocolVersion === "1.3") {
    const why = "proxies take TLS 1.2 and 1.3 on all names of a port";
    findings.error(notSupported("TLSError", `${field}.minimumProtocolVersion 1.3`, why));
  } else if (maximumProtocolVersion === "1.2") {
    const message = `${field}.maximumProtocolVersion is left out: TLS 1.3 is taken too`;
    findings.warn(problem("TLSError", "IgnoredField", message));
  }
}
