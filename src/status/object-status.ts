import type { ParentReference, ResourceKind } from "../resources/index.ts";
import type { Verdict } from "./condition.ts";

/** All that Gatewright has to say on one object. What others wrote is not in here; `mergeStatus` keeps it. */
export interface ObjectStatus {
  /** `<Kind>/<namespace>/<name>`, or `<Kind>/<name>` without a namespace. */
  readonly key: string;
  readonly kind: ResourceKind;
  readonly namespace: string | undefined;
  readonly name: string;
  /** Of the object that was judged. */
  readonly generation: number;
  readonly content: StatusContent;
}

export type StatusContent =
  | {
      readonly shape: "conditions";
      readonly conditions: readonly Verdict[];
      readonly supportedFeatures?: readonly string[];
    }
  | {
      readonly shape: "gateway";
      readonly conditions: readonly Verdict[];
      readonly listeners: readonly ListenerContent[];
      /** Absent: addresses are somebody else's to write. */
      readonly addresses?: readonly { readonly type: string; readonly value: string }[];
      /** Gateways only. */
      readonly attachedListenerSets?: number;
    }
  /** HTTPProxy: one condition, `Valid`, with all that is behind it, and the same in a word. */
  | {
      readonly shape: "http-proxy";
      readonly currentStatus: "valid" | "invalid" | "orphaned";
      readonly description: string;
      readonly conditions: readonly Verdict[];
      readonly errors: readonly SubCondition[];
      readonly warnings: readonly SubCondition[];
      /** Whether any of it answers, valid or not; not written. */
      readonly isServed: boolean;
      /** Where it is reached. */
      readonly addresses: readonly { readonly type: string; readonly value: string }[];
    }
  /** Ingress: where it is reached. It has no conditions, so what is wrong with it is told in remarks, which are not written. */
  | {
      readonly shape: "load-balancer";
      readonly addresses: readonly { readonly type: string; readonly value: string }[];
      readonly isServed: boolean;
      readonly remarks: readonly StatusRemark[];
    }
  /** Routes (`parents`), policies (`ancestors`) and XBackend (`parents`): entries of ours beside those of other controllers. */
  | {
      readonly shape: "parents" | "ancestors" | "backend-parents";
      readonly controllerName: string;
      readonly entries: readonly ParentEntry[];
    };

/** Something wrong, so it is true. */
export type SubCondition = Pick<Verdict, "type" | "reason" | "message">;

export interface StatusRemark {
  readonly severity: "error" | "warning";
  readonly reason: string;
  readonly field: string;
  readonly message: string;
}

export interface ListenerContent {
  readonly name: string;
  readonly supportedKinds: readonly { readonly group: string; readonly kind: string }[];
  readonly attachedRoutes: number;
  readonly conditions: readonly Verdict[];
}

export interface ParentEntry {
  readonly ref: ParentReference;
  readonly conditions: readonly Verdict[];
}
