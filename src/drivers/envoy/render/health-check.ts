/*
 * Active health checks, as the model means them: no endpoint that is not well gets anything, not even if none is well (Envoy would panic); an endpoint that is gone is gone,
 * whatever the checks say; and a wrong answer counts like none at all, where Envoy would not wait for the threshold.
 */
import type { Backend, Endpoint, HealthCheck } from "../../../model/index.ts";
import type { Cluster, HealthCheck as RenderedCheck, LbEndpoint } from "../generated/messages.ts";

export function renderHealthCheck(
  backend: Pick<Backend, "protocol" | "tls" | "healthCheck">,
): Pick<Cluster, "healthChecks" | "commonLbConfig" | "ignoreHealthOnHostRemoval"> {
  const { healthCheck, protocol, tls } = backend;
  if (!healthCheck) return {};
  const { interval, timeout, unhealthyThreshold, healthyThreshold } = healthCheck;
  return {
    commonLbConfig: { healthyPanicThreshold: { value: 0 } },
    ignoreHealthOnHostRemoval: true,
    healthChecks: [
      {
        interval,
        timeout,
        unhealthyThreshold,
        healthyThreshold,
        // It would be a minute for clusters without traffic.
        noTrafficInterval: interval,
        noTrafficHealthyInterval: interval,
        reuseConnection: false,
        ...(tls ? { tlsOptions: { alpnProtocols: [protocol === "h2c" ? "h2" : "http/1.1"] } } : {}),
        ...whatIsAsked(healthCheck, protocol),
      },
    ],
  };
}

function whatIsAsked(
  { path, host, expectedStatuses }: HealthCheck,
  protocol: Backend["protocol"],
): Pick<RenderedCheck, "httpHealthCheck" | "tcpHealthCheck"> {
  if (path === undefined) return { tcpHealthCheck: {} };
  const ranges = expectedStatuses.length > 0 ? expectedStatuses : [{ start: 200, end: 200 }];
  return {
    httpHealthCheck: {
      path,
      ...(host === undefined ? {} : { host }),
      codecClientType: protocol === "h2c" ? "HTTP2" : "HTTP1",
      expectedStatuses: ranges.map(({ start, end }) => ({ start, end: end + 1 })),
      retriableStatuses: [{ start: 100, end: 600 }],
    },
  };
}

/** What an endpoint is asked as, where the check names no host: Envoy would say the cluster's name. */
export function checkedAs(
  { healthCheck }: Pick<Backend, "healthCheck">,
  endpoint: Endpoint,
): LbEndpoint["endpoint"] {
  if (healthCheck?.path === undefined || healthCheck.host !== undefined) return {};
  const { address, port } = endpoint;
  return {
    healthCheckConfig: { hostname: address.includes(":") ? `[${address}]:${port}` : `${address}:${port}` },
  };
}
