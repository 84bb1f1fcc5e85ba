import { KubernetesError } from "./error.ts";
import { resourceName, type ResourceType } from "./object.ts";

/** Why a watch does not see what there is. It goes on trying, whatever it is. */
export interface WatchTrouble {
  readonly kind: "not-served" | "forbidden" | "unauthorized" | "unreachable" | "malformed";
  /** With what to do about it. */
  readonly message: string;
  readonly error: KubernetesError;
  /**
   * Nothing was read so far, and not because the server as a whole is away: whoever waits for the first word goes on without it. See
   * `unreadable.ts`.
   */
  readonly isUnreadable?: true;
}

export interface WatchSelection {
  readonly type: ResourceType;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export function describeTrouble(
  error: KubernetesError,
  verb: "list" | "watch",
  { type, namespace }: WatchSelection,
): WatchTrouble {
  const what = resourceName(type);
  const where =
    namespace === undefined ? (type.namespaced ? "in all namespaces" : "") : `in namespace ${namespace}`;
  switch (true) {
    case error.isNotFound: {
      const message = `The API server does not serve ${what} in version ${type.version}; is its CustomResourceDefinition installed?`;
      return { kind: "not-served", error, message };
    }
    case error.isForbidden: {
      const role = namespace === undefined ? "ClusterRole" : "Role";
      const message = `May not ${verb} ${what} ${where}: a ${role} must allow get, list and watch (${error.message})`;
      return { kind: "forbidden", error, message: message.replace("  ", " ") };
    }
    case error.isUnauthorized:
      return {
        kind: "unauthorized",
        error,
        message: `The API server does not know who we are: ${error.message}`,
      };
    case error.code === "KUBERNETES_BAD_ANSWER":
      return {
        kind: "malformed",
        error,
        message: `The watch of ${what} brought something unreadable: ${error.message}`,
      };
    default:
      return { kind: "unreachable", error, message: `${what} cannot be watched for now: ${error.message}` };
  }
}
