/** Who we are to the API server. */
import type { KubernetesClient } from "../kubernetes/index.ts";
import type { OwnIdentity } from "./crds/admission-policy.ts";

export async function readOwnIdentity(client: Pick<KubernetesClient, "request">): Promise<OwnIdentity> {
  const apiVersion = "authentication.k8s.io/v1";
  const review = (await client.request({
    method: "POST",
    path: `/apis/${apiVersion}/selfsubjectreviews`,
    body: { apiVersion, kind: "SelfSubjectReview" },
  })) as { status?: { userInfo?: { username?: string; extra?: Record<string, unknown> } } };
  const { username = "", extra = {} } = review.status?.userInfo ?? {};
  const claims = ["authentication.kubernetes.io/node-name", "authentication.kubernetes.io/pod-name"];
  return { username, isPodBound: claims.every((claim) => Object.hasOwn(extra, claim)) };
}
