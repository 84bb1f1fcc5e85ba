/*
 * Nobody but the operator may create, change or delete CRDs of the Gateway API: a ValidatingAdmissionPolicy and its binding.
 *
 * All fields that the API server would fill in are written here, so that what was changed can be told from what was filled in.
 */
import type { KubernetesObject } from "../../kubernetes/index.ts";
import { gatewayApiGroup } from "./crd-facts.ts";

export interface OwnIdentity {
  /** As the API server knows us. */
  readonly username: string;
  /** Our token is bound to a Pod on a node. */
  readonly isPodBound: boolean;
}

export interface ProtectionWords {
  readonly policyName: string;
  readonly managedMessage: string;
}

const nodeClaim = "authentication.kubernetes.io/node-name";
const podClaim = "authentication.kubernetes.io/pod-name";

/** `identity.isPodBound`: then it must be, so that a token which was taken from elsewhere is of no use. */
export function crdProtection(
  { policyName, managedMessage }: ProtectionWords,
  identity: OwnIdentity,
): { readonly policy: KubernetesObject; readonly binding: KubernetesObject } {
  const isOurs = {
    expression: `request.userInfo.username == ${JSON.stringify(identity.username)}`,
    message: managedMessage,
    reason: "Forbidden",
  };
  const isInPod = {
    expression: `has(request.userInfo.extra) && '${nodeClaim}' in request.userInfo.extra && '${podClaim}' in request.userInfo.extra`,
    message: `this user must have both "${nodeClaim}" and "${podClaim}" claims`,
    reason: "Forbidden",
  };
  return withDefaults({
    policy: {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: { name: policyName },
      spec: {
        failurePolicy: "Fail",
        matchConstraints: {
          resourceRules: [
            {
              apiGroups: ["apiextensions.k8s.io"],
              apiVersions: ["v1"],
              operations: ["CREATE", "UPDATE", "DELETE"],
              resources: ["customresourcedefinitions"],
            },
          ],
        },
        matchConditions: [
          {
            name: "gateway-api",
            // What is deleted is the old object; there is no new one.
            expression: `(request.operation == 'DELETE' ? oldObject : object).spec.group == '${gatewayApiGroup}'`,
          },
        ],
        validations: [isOurs, ...(identity.isPodBound ? [isInPod] : [])],
      },
    },
    binding: {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name: policyName },
      spec: { policyName, validationActions: ["Deny"] },
    },
  });
}

interface Policy {
  readonly policy: KubernetesObject;
  readonly binding: KubernetesObject;
}

/** As the API server would complete them. */
export function withDefaults({ policy, binding }: Policy): Policy {
  const spec = policy["spec"] as Fields;
  const bound = binding["spec"] as Fields;
  return {
    policy: { ...policy, spec: { ...spec, matchConstraints: completeMatch(spec["matchConstraints"]) } },
    binding: {
      ...binding,
      spec: {
        ...bound,
        ...(bound["matchResources"] !== undefined && {
          matchResources: completeMatch(bound["matchResources"]),
        }),
      },
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

function completeMatch(match: unknown): Fields {
  const { resourceRules, ...rest } = match as Fields;
  return {
    matchPolicy: "Equivalent",
    namespaceSelector: {},
    objectSelector: {},
    ...rest,
    resourceRules: (resourceRules as readonly Fields[]).map((rule) => ({ scope: "*", ...rule })),
  };
}
