/*
 * `listenerPolicy: contour`: what Contour's design asks of a listener beyond the API. The ports are those of a proxy that somebody
 * else has deployed, so a listener can only use what its Service has; some values that the API leaves open are refused.
 */
import { compileLabelSelector, isIPv4, type Listener } from "../../resources/index.ts";
import { verdict, type Verdict } from "../../status/index.ts";

export interface ContourListenerPolicy {
  /** What the proxy's Service offers to the outside. */
  readonly ports: { readonly insecure: number; readonly secure: number };
}

const requiresTls = 'Listener.TLS is required when protocol is "HTTPS".';
const refusesCertificates =
  'Listener.TLS.CertificateRefs cannot be defined when Listener.TLS.Mode is "Passthrough".';
const selector = "Listener.AllowedRoutes.Namespaces.Selector";

export function contourRefusal(spec: Listener, { ports }: ContourListenerPolicy): Verdict | undefined {
  const { protocol, port, tls, allowedRoutes, hostname } = spec;
  const invalid = (message: string) => verdict("Accepted", "False", "Invalid", message);
  // The API's pattern keeps out all other names that are none.
  if (hostname !== undefined && isIPv4(hostname)) {
    return invalid(`invalid hostname "${hostname}": must be a DNS name, not an IP address`);
  }
  if (protocol === "HTTPS" && tls === undefined) return invalid(requiresTls);
  if (protocol === "TLS" && tls?.mode === "Passthrough" && (tls.certificateRefs?.length ?? 0) > 0) {
    return invalid(refusesCertificates);
  }
  const wanted = protocol === "HTTP" ? ports.insecure : ports.secure;
  const isSharedPort = protocol === "HTTP" || protocol === "HTTPS" || protocol === "TLS";
  if (isSharedPort ? port !== wanted : port !== ports.insecure && port !== ports.secure) {
    const advice = isSharedPort ? `protocol ${protocol} is served on port ${wanted}` : describePorts(ports);
    const message = `Listener port ${port} is not exposed by the proxy's Service for this protocol; ${advice}`;
    return verdict("Accepted", "False", "PortUnavailable", message);
  }
  return judgeSelector(allowedRoutes.namespaces, invalid);
}

const describePorts = ({ insecure, secure }: ContourListenerPolicy["ports"]) =>
  `it has ${insecure} (insecure) and ${secure} (secure)`;

function judgeSelector(
  { from, selector: given }: Listener["allowedRoutes"]["namespaces"],
  invalid: (message: string) => Verdict,
): Verdict | undefined {
  if (from !== "Selector") return undefined;
  if (given === undefined) {
    return invalid(
      `${selector} is required when Listener.AllowedRoutes.Namespaces.From is set to "Selector".`,
    );
  }
  const { matchLabels = {}, matchExpressions = [] } = given;
  if (Object.keys(matchLabels).length === 0 && matchExpressions.length === 0) {
    return invalid(`${selector} must specify at least one MatchLabel or MatchExpression.`);
  }
  const compiled = compileLabelSelector(given);
  return compiled.outcome === "selector"
    ? undefined
    : invalid(`Error parsing ${selector}: it cannot be read; see matchExpressions.`);
}
