export {
  kubernetesInfrastructure,
  type KubernetesInfrastructure,
  type KubernetesInfrastructureOptions,
} from "./infrastructure.ts";
export type { FleetNames } from "./fleet-names.ts";
export { openshiftNames } from "./openshift-names.ts";
export type { ProxyImages } from "./proxy-image.ts";
export type { WatchHandler, WatchObjects } from "./fleet-watches.ts";
