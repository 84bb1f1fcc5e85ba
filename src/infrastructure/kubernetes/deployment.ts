import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { Fleet } from "../../translate/index.ts";
import type { FleetNames } from "./fleet-names.ts";
import { renderAnnotations, renderLabels, renderObject } from "./object-metadata.ts";
import { renderProxyContainer, terminationSeconds, type ContainerContext } from "./proxy-container.ts";
import { deployments } from "./resource-types.ts";
import { shortHash } from "./safe-name.ts";

export interface DeploymentContext extends ContainerContext {
  /** Envoy's files. It reads them once, so others mean other Pods. */
  readonly bootstrap: Readonly<Record<string, string>> | undefined;
  /**
   * The number of replicas that is ours although an autoscaler is at work: it has not changed it yet, and to let go of the field
   * before that would set it to 1.
   */
  readonly heldReplicas: number | undefined;
}

const user = 65532;
const bootstrapAnnotation = "gatewright.dev/bootstrap";

export function renderDeployment(
  fleet: Fleet,
  names: FleetNames,
  context: DeploymentContext,
): KubernetesObject {
  const { settings } = fleet;
  const selector = names.selector(fleet);
  const replicas = settings.autoscaling ? context.heldReplicas : settings.replicas;
  const { bootstrap } = context;
  return renderObject(deployments, fleet, names, {
    spec: {
      ...(replicas !== undefined && { replicas }),
      selector: { matchLabels: selector },
      revisionHistoryLimit: 3,
      // A new Pod is ready before an old one goes.
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: 0 } },
      template: {
        metadata: {
          labels: renderLabels(fleet, names),
          annotations: {
            ...renderAnnotations(fleet),
            ...(bootstrap !== undefined && { [bootstrapAnnotation]: shortHash(JSON.stringify(bootstrap)) }),
          },
        },
        spec: {
          serviceAccountName: names.name(fleet),
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          terminationGracePeriodSeconds: terminationSeconds(fleet),
          securityContext: {
            runAsNonRoot: true,
            runAsUser: user,
            runAsGroup: user,
            seccompProfile: { type: "RuntimeDefault" },
          },
          containers: [
            renderProxyContainer(fleet, { ...context, tellsReadiness: names.readiness !== undefined }),
          ],
          volumes: renderVolumes(fleet, names),
          topologySpreadConstraints: ["topology.kubernetes.io/zone", "kubernetes.io/hostname"].map(
            (topologyKey) => ({
              maxSkew: 1,
              topologyKey,
              whenUnsatisfiable: "ScheduleAnyway",
              labelSelector: { matchLabels: selector },
              matchLabelKeys: ["pod-template-hash"],
            }),
          ),
          ...(Object.keys(settings.nodeSelector).length > 0 && { nodeSelector: settings.nodeSelector }),
          ...(settings.tolerations.length > 0 && { tolerations: settings.tolerations }),
        },
      },
    },
  });
}

function renderVolumes(fleet: Fleet, names: FleetNames) {
  const name = names.name(fleet);
  return [
    { name: "channel", secret: { secretName: names.secretName(fleet), defaultMode: 0o444 } },
    ...(fleet.driver === "envoy" ? [{ name: "bootstrap", configMap: { name, defaultMode: 0o444 } }] : []),
    { name: "scratch", emptyDir: { sizeLimit: "256Mi" } },
  ];
}
