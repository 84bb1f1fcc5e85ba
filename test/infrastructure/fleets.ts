import type { Fleet } from "../../src/translate/index.ts";

type FleetFields = Partial<Omit<Fleet, "settings">> & { readonly settings?: Partial<Fleet["settings"]> };

/** A fleet as the translation makes it of a plain Gateway; `fields` say what is different. */
export function fleetOf(fields: FleetFields = {}): Fleet {
  const { namespace = "shop", name = "web", settings = {}, ...more } = fields;
  return {
    key: `${namespace}/${name}`,
    namespace,
    name,
    uid: `uid-of-${name}`,
    className: "gatewright",
    controllerName: "gatewright.dev/gateway-controller",
    driver: "envoy",
    ports: [{ name: "http", port: 80, targetPort: 10080, transport: "tcp", appProtocol: "http" }],
    addresses: [],
    labels: {},
    annotations: {},
    ...more,
    settings: {
      ...(settings.autoscaling ? {} : { replicas: 1 }),
      resources: { requests: {}, limits: {} },
      accessLog: { enabled: false },
      nodeSelector: {},
      tolerations: [],
      service: { type: "LoadBalancer", loadBalancerSourceRanges: [], annotations: {} },
      drainSeconds: 30,
      statistics: { perBackend: false },
      ...settings,
    },
  };
}
