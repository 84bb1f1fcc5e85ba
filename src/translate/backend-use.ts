import { createHash } from "node:crypto";
import type { Backend } from "../model/index.ts";
import type { BackendExtras } from "./layers.ts";

/** The backends that are known, by the kind of object that describes them. */
export type BackendKind = "Service" | "XBackend";

/** What tells one backend of the model from another. All that is known of a backend follows from this and from the objects. */
export interface BackendParts {
  readonly kind: BackendKind;
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  readonly protocol: Backend["protocol"];
  /** Bytes that are TLS already go on as they are, whatever policies say about the object. */
  readonly passthrough: boolean;
  /** `Certificate` key that the Gateway shows; only where the backend is spoken to by TLS. */
  readonly clientCertificate: string | undefined;
  /** `Certificate` key of the authorities of the mesh that the object is in, for this use of it. */
  readonly mesh?: string | undefined;
  /** A policy on the object limits retries, but the Gateway's proxy cannot hold to it. */
  readonly ignoresRetryBudget: boolean;
  /** What a rule of a layer says of it. */
  readonly extras?: BackendExtras | undefined;
}

/** A backend that the model must carry. Two uses with the same key are the same in all else. */
export interface BackendUse extends BackendParts {
  readonly key: string;
}

/** The key is the object and its port; what a backend has beyond the plain HTTP case follows after bars. */
export function backendUse(parts: BackendParts): BackendUse {
  const { kind, namespace, name, port, protocol, passthrough, clientCertificate, ignoresRetryBudget } = parts;
  const { extras, mesh } = parts;
  const words = [`${kind}/${namespace}/${name}/${port}`];
  if (passthrough) words.push("passthrough");
  else if (protocol !== "http") words.push(protocol);
  if (clientCertificate !== undefined) words.push(clientCertificate);
  if (mesh !== undefined) words.push(`mesh=${mesh}`);
  if (ignoresRetryBudget) words.push("no-retry-budget");
  if (extras && Object.keys(extras).length > 0) words.push(digestOf(extras));
  return { ...parts, key: words.join("|") };
}

function digestOf(extras: BackendExtras): string {
  const text = JSON.stringify(extras, (_name, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

/** What policies attach to. Kinds that we do not know keep their group, so that nothing is taken for a Service that is none. */
export function targetKey(group: string, kind: string, namespace: string, name: string): string {
  const known = (group === "" && kind === "Service") || (group === experimentalGroup && kind === "XBackend");
  return `${known ? kind : `${kind}.${group}`}/${namespace}/${name}`;
}

export const experimentalGroup = "gateway.networking.x-k8s.io";
