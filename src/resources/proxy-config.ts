/**
 * ProxyConfig (`gatewright.dev/v1alpha1`): how the proxies of a Gateway run. A GatewayClass or a Gateway refers to it.
 *
 * This is an allow-list: what a user of a namespace may say about Pods and Services that are made on their behalf. There are no
 * passages through which other fields of a Pod or Service could be set (external IPs, node ports, host ports, volumes).
 */
import { dnsNamePattern, labelValue } from "./api-scalars.ts";
import { isIPv4, isIPv6 } from "./ip-address.ts";
import { namespaced } from "./resource-schema.ts";
import { array, map } from "./schema-collections.ts";
import { object, optional, required } from "./schema-object.ts";
import { boolean, integer, intOrString, oneOf, string } from "./schema-scalars.ts";
import type { Infer, RuleVerdict } from "./schema.ts";

const mostReplicas = 1000;
const replicas = integer({ minimum: 1, maximum: mostReplicas, format: "int32" });

const autoscaling = object({
  minReplicas: optional(replicas.describe("1 unless said otherwise.")),
  maxReplicas: required(replicas),
  targetCPUUtilization: optional(
    integer({ minimum: 1, maximum: 100, format: "int32" }).describe(
      "Average share of the requested CPU that the replicas should use, in percent; 80 unless said otherwise.",
    ),
  ),
})
  .rule(
    "minReplicas must not be more than maxReplicas",
    ({ minReplicas, maxReplicas }) => (minReplicas ?? 1) <= maxReplicas || ["minReplicas"],
    { cel: "!has(self.minReplicas) || self.minReplicas <= self.maxReplicas" },
  )
  .describe("The number of replicas follows their load.");

const quantityPattern = "^[0-9]{1,15}(\\.[0-9]{1,9})?(m|k|Ki|M|Mi|G|Gi|T|Ti)?$";
const quantityExpression = new RegExp(quantityPattern);
const quantity = intOrString({ pattern: quantityPattern }).rule(
  "must be a quantity, such as 500m, 2 or 256Mi",
  (value) => quantityExpression.test(String(value)),
  { keyword: "pattern" },
);
const quantities = object({ cpu: optional(quantity), memory: optional(quantity) });
export type ResourceQuantities = Infer<typeof quantities>;

const toleration = object({
  key: optional(string({ maxLength: 316 })),
  operator: optional(oneOf(["Exists", "Equal"])),
  value: optional(labelValue),
  effect: optional(oneOf(["NoSchedule", "PreferNoSchedule", "NoExecute"])),
  tolerationSeconds: optional(integer({ minimum: 0 })),
})
  .rule(
    "operator must be Exists when key is empty",
    ({ key, operator }) => (key !== undefined && key !== "") || operator === "Exists" || ["operator"],
    { cel: "(has(self.key) && self.key != '') || (has(self.operator) && self.operator == 'Exists')" },
  )
  .rule(
    "value must be empty when operator is Exists",
    ({ operator, value }) => operator !== "Exists" || value === undefined || value === "" || ["value"],
    { cel: "!has(self.operator) || self.operator != 'Exists' || !has(self.value) || self.value == ''" },
  )
  .rule(
    "effect must be NoExecute when tolerationSeconds is set",
    ({ tolerationSeconds, effect }) =>
      tolerationSeconds === undefined || effect === "NoExecute" || ["tolerationSeconds"],
    { cel: "!has(self.tolerationSeconds) || (has(self.effect) && self.effect == 'NoExecute')" },
  );
export type Toleration = Infer<typeof toleration>;

const qualifiedName =
  "^([a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$";
const qualifiedNameExpression = new RegExp(qualifiedName);
const keysAreQualified = `self.all(key, key.matches('${qualifiedName}'))`;

function everyKeyIsQualified(entries: object): RuleVerdict {
  const culprit = Object.keys(entries).find((key) => !qualifiedNameExpression.test(key));
  return culprit === undefined || [culprit];
}

const nodeSelector = map(labelValue, { maxProperties: 16 }).rule(
  "keys must be label keys, such as topology.kubernetes.io/zone",
  everyKeyIsQualified,
  { cel: keysAreQualified },
);

const annotations = map(string({ maxLength: 4096 }), { maxProperties: 16 }).rule(
  "keys must be annotation keys, such as example.com/name",
  everyKeyIsQualified,
  { cel: keysAreQualified },
);

const sourceRange = string({
  minLength: 1,
  maxLength: 49,
  pattern: { source: "^[0-9A-Fa-f.:]+/[0-9]{1,3}$", is: "an IP range, such as 192.0.2.0/24" },
}).rule(
  "must be an IP range, such as 192.0.2.0/24",
  (value) => {
    const [address = "", length = ""] = value.split("/");
    return Number(length) <= (isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1);
  },
  { keyword: "pattern" },
);

const isLoadBalancer = (type: string | undefined) => type !== "ClusterIP";

const service = object({
  type: optional(oneOf(["LoadBalancer", "ClusterIP"]).describe("LoadBalancer unless said otherwise.")),
  externalTrafficPolicy: optional(oneOf(["Cluster", "Local"])),
  loadBalancerClass: optional(
    string({
      minLength: 1,
      maxLength: 317,
      pattern: {
        source: "^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$",
        is: "the name of a class, such as example.com/internal",
      },
    }),
  ),
  loadBalancerSourceRanges: optional(array(sourceRange, { maxItems: 256 })),
  annotations: optional(annotations),
})
  .rule(
    "externalTrafficPolicy is for type LoadBalancer",
    ({ type, externalTrafficPolicy }) =>
      isLoadBalancer(type) || externalTrafficPolicy === undefined || ["externalTrafficPolicy"],
    { cel: "!has(self.type) || self.type != 'ClusterIP' || !has(self.externalTrafficPolicy)" },
  )
  .rule(
    "loadBalancerClass is for type LoadBalancer",
    ({ type, loadBalancerClass }) =>
      isLoadBalancer(type) || loadBalancerClass === undefined || ["loadBalancerClass"],
    { cel: "!has(self.type) || self.type != 'ClusterIP' || !has(self.loadBalancerClass)" },
  )
  .rule(
    "loadBalancerSourceRanges is for type LoadBalancer",
    ({ type, loadBalancerSourceRanges }) =>
      isLoadBalancer(type) || loadBalancerSourceRanges === undefined || ["loadBalancerSourceRanges"],
    { cel: "!has(self.type) || self.type != 'ClusterIP' || !has(self.loadBalancerSourceRanges)" },
  )
  .describe("The Service before the proxies.");

const proxyConfigSpec = object({
  driver: optional(
    string({
      minLength: 1,
      maxLength: 63,
      pattern: { source: dnsNamePattern.source, is: "the name of a driver, such as envoy" },
    }).describe("The kind of proxy: envoy, embedded, nginx or haproxy."),
  ),
  replicas: optional(replicas),
  autoscaling: optional(autoscaling),
  resources: optional(object({ requests: optional(quantities), limits: optional(quantities) })),
  image: optional(
    string({
      minLength: 1,
      maxLength: 512,
      pattern: { source: "^[A-Za-z0-9][A-Za-z0-9._:/@-]*$", is: "an image, such as example.com/proxy:v1" },
    }).describe("Instead of the image that the controller was installed with."),
  ),
  accessLog: optional(
    object({
      enabled: optional(boolean().describe("A line of JSON for each request; false unless said otherwise.")),
    }),
  ),
  nodeSelector: optional(nodeSelector),
  tolerations: optional(array(toleration, { maxItems: 32 })),
  service: optional(service),
  drainSeconds: optional(
    integer({ minimum: 0, maximum: 3600, format: "int32" }).describe(
      "How long a proxy that ends goes on with open connections; 30 unless said otherwise.",
    ),
  ),
  statistics: optional(
    object({ perBackend: optional(boolean().describe("Figures for each backend, which can be many.")) }),
  ),
}).rule(
  "replicas and autoscaling cannot both be set",
  ({ replicas, autoscaling }) => replicas === undefined || autoscaling === undefined || ["autoscaling"],
  { cel: "!has(self.replicas) || !has(self.autoscaling)" },
);
export type ProxyConfigSpec = Infer<typeof proxyConfigSpec>;

export const proxyConfig = namespaced("ProxyConfig", { spec: required(proxyConfigSpec) });
export type ProxyConfig = Infer<typeof proxyConfig>;
