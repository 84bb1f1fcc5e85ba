/** The mesh's control plane as an object of its operator: a ServiceMeshControlPlane, or in what was shipped later an Istio. Neither is for the admin to change. */
import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { KeptObject } from "../kept-objects.ts";
import { istios, serviceMeshControlPlanes } from "../resource-types.ts";
import type { MeshSettings } from "./mesh-settings.ts";

export const controlPlaneName = "openshift-gateway";
export const operandNamespace = "openshift-ingress";
const [name, namespace] = [controlPlaneName, operandNamespace];
const defaultClassName = "openshift-default";

export function serviceMeshControlPlane(owner: KubernetesObject, controllerName: string): KeptObject {
  return {
    type: serviceMeshControlPlanes,
    fields: ["spec"],
    comesLater: true,
    object: {
      apiVersion: "maistra.io/v2",
      kind: "ServiceMeshControlPlane",
      metadata: { name, namespace, ownerReferences: [ownerOf(owner, "v1beta1")] },
      spec: {
        version: "v2.4",
        profiles: ["default"],
        mode: "ClusterWide",
        policy: { type: "Istiod" },
        tracing: { type: "None" },
        security: { manageNetworkPolicy: false },
        addons: {
          grafana: { enabled: false },
          jaeger: { name: "jaeger", install: null },
          kiali: { enabled: false },
          prometheus: { enabled: false },
        },
        gateways: {
          egress: { enabled: false },
          ingress: { enabled: true, ingress: true, service: { type: "LoadBalancer" } },
        },
        proxy: { accessLogging: { envoyService: { enabled: true }, file: { name: "/dev/stdout" } } },
        runtime: {
          components: {
            pilot: {
              container: {
                env: {
                  PILOT_ENABLE_GATEWAY_API: "true",
                  PILOT_ENABLE_GATEWAY_API_DEPLOYMENT_CONTROLLER: "true",
                  PILOT_ENABLE_GATEWAY_API_STATUS: "true",
                  PILOT_GATEWAY_API_CONTROLLER_NAME: controllerName,
                  PILOT_GATEWAY_API_DEFAULT_GATEWAYCLASS: defaultClassName,
                },
              },
            },
          },
        },
      },
    },
  };
}

export interface IstioFacts {
  readonly owner: KubernetesObject;
  readonly controllerName: string;
  readonly settings: MeshSettings;
  /** Names of all classes that are ours. */
  readonly classes: readonly string[];
  readonly hasInferencePools: boolean;
  /** Of the cluster's proxy to the outside. */
  readonly outwardProxy: {
    readonly httpProxy?: string;
    readonly httpsProxy?: string;
    readonly noProxy?: string;
  };
  readonly isSingleReplica: boolean;
}

export function istio(facts: IstioFacts): KeptObject {
  const { owner, controllerName, settings, classes, hasInferencePools, isSingleReplica } = facts;
  const proxyMetadata = proxyMetadataOf(facts.outwardProxy);
  return {
    type: istios,
    fields: ["spec"],
    comesLater: true,
    keepsOwners: true,
    object: {
      apiVersion: "sailoperator.io/v1",
      kind: "Istio",
      metadata: { name, ownerReferences: [ownerOf(owner, "v1")] },
      spec: {
        namespace,
        updateStrategy: { type: "InPlace" },
        version: settings.istioVersion,
        values: {
          global: {
            defaultPodDisruptionBudget: { enabled: false },
            istioNamespace: namespace,
            priorityClassName: "system-cluster-critical",
            trustBundleName: "openshift-gw-ca-root-cert",
          },
          pilot: {
            enabled: true,
            cni: { enabled: false },
            podAnnotations: {
              "target.workload.openshift.io/management": '{"effect": "PreferredDuringScheduling"}',
            },
            env: {
              PILOT_ENABLE_GATEWAY_API: "true",
              PILOT_ENABLE_ALPHA_GATEWAY_API: "false",
              PILOT_ENABLE_GATEWAY_API_STATUS: "true",
              PILOT_ENABLE_GATEWAY_API_DEPLOYMENT_CONTROLLER: "true",
              PILOT_ENABLE_GATEWAY_API_GATEWAYCLASS_CONTROLLER: "false",
              PILOT_GATEWAY_API_DEFAULT_GATEWAYCLASS_NAME: defaultClassName,
              PILOT_GATEWAY_API_CONTROLLER_NAME: controllerName,
              PILOT_MULTI_NETWORK_DISCOVER_GATEWAY_API: "false",
              ENABLE_GATEWAY_API_MANUAL_DEPLOYMENT: "false",
              PILOT_ENABLE_GATEWAY_API_CA_CERT_ONLY: "true",
              PILOT_ENABLE_CA_CRL: "false",
              PILOT_ENABLE_GATEWAY_API_COPY_LABELS_ANNOTATIONS: "false",
              PILOT_IGNORE_RESOURCES: "listenersets.gateway.networking.k8s.io",
              ...(hasInferencePools && { ENABLE_GATEWAY_API_INFERENCE_EXTENSION: "true" }),
            },
          },
          sidecarInjectorWebhook: { enableNamespacesByDefault: false },
          meshConfig: {
            accessLogFile: "/dev/stdout",
            ingressControllerMode: "OFF",
            defaultConfig: {
              proxyHeaders: {
                server: { disabled: true },
                envoyDebugHeaders: { disabled: true },
                metadataExchangeHeaders: { mode: "IN_MESH" },
              },
              ...(proxyMetadata && { proxyMetadata }),
            },
          },
          gatewayClasses: Object.fromEntries(
            classes.map((one) => [one, perGateway(isSingleReplica ? 1 : 2)]),
          ),
        },
      },
    },
  };
}

function perGateway(minReplicas: number) {
  const containers = [{ name: "istio-proxy", terminationMessagePolicy: "FallbackToLogsOnError" }];
  return {
    horizontalPodAutoscaler: { spec: { minReplicas, maxReplicas: 10 } },
    deployment: { spec: { template: { spec: { containers } } } },
  };
}

function proxyMetadataOf({ httpProxy, httpsProxy, noProxy }: IstioFacts["outwardProxy"]) {
  const both = (variable: string, value: string | undefined) =>
    value ? { [variable]: value, [variable.toLowerCase()]: value } : {};
  const all = {
    ...both("HTTP_PROXY", httpProxy),
    ...both("HTTPS_PROXY", httpsProxy),
    ...both("NO_PROXY", noProxy),
  };
  return Object.keys(all).length > 0 ? all : undefined;
}

/** `version`: of the Gateway API's kinds. */
export function ownerOf({ kind, metadata }: KubernetesObject, version: string) {
  const apiVersion = `gateway.networking.k8s.io/${version}`;
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? "" };
}
