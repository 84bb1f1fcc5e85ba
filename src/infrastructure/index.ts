export {
  kubernetesInfrastructure,
  openshiftNames,
  type KubernetesInfrastructure,
  type KubernetesInfrastructureOptions,
  type ProxyImages,
} from "./kubernetes/index.ts";
