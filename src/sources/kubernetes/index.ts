export {
  kubernetesSource,
  type KubernetesSource,
  type KubernetesSourceOptions,
} from "./kubernetes-source.ts";
