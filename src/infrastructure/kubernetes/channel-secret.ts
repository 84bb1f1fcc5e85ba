/*
 * By which a proxy gets into the channel: a certificate that says whose it is, renewed at half of its time at the latest, and a key for TLS sessions
 * that all proxies of the Gateway share, which stays. The Secret itself says until when it is good and what was put into it, so
 * whoever becomes leader knows both, and a Secret that somebody changed is made anew.
 */
import { createHash } from "node:crypto";
import type { ChannelCertificate } from "../../channel/index.ts";
import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { Fleet } from "../../translate/index.ts";
import type { FleetNames } from "./fleet-names.ts";
import { renderObject } from "./object-metadata.ts";
import { secrets } from "./resource-types.ts";

const renewAnnotation = "gatewright.dev/renew-after";
const contentAnnotation = "gatewright.dev/content";
const sessionKeyName = "session.key";

export function renderChannelSecret(
  fleet: Fleet,
  names: FleetNames,
  issued: ChannelCertificate,
  sessionKey: Uint8Array,
): KubernetesObject {
  const data = {
    "ca.crt": base64(issued.authorities),
    [sessionKeyName]: base64(sessionKey),
    "tls.crt": base64(issued.certificate),
    "tls.key": base64(issued.key),
  };
  const halfTime = (issued.notBefore.getTime() + issued.notAfter.getTime()) / 2;
  const renewAt = Math.min(halfTime, issued.renewBy?.getTime() ?? Infinity);
  return render(fleet, names, data, {
    [contentAnnotation]: fingerprint(data),
    [renewAnnotation]: new Date(renewAt).toISOString(),
  });
}

/** A Secret that is still good stays, apart from what the Gateway says of labels and annotations. */
export function keepChannelSecret(
  fleet: Fleet,
  names: FleetNames,
  secret: KubernetesObject,
): KubernetesObject {
  const { [contentAnnotation]: content = "", [renewAnnotation]: renew = "" } =
    secret.metadata.annotations ?? {};
  return render(fleet, names, dataOf(secret), { [contentAnnotation]: content, [renewAnnotation]: renew });
}

/** When to issue the next certificate, as ms since the epoch; 0 if what is there is not what was put there. */
export function renewalTime(secret: KubernetesObject): number {
  const { annotations } = secret.metadata;
  const time = Date.parse(annotations?.[renewAnnotation] ?? "");
  const isIntact = annotations?.[contentAnnotation] === fingerprint(dataOf(secret));
  return isIntact && Number.isFinite(time) ? time : 0;
}

export function haveSameContent(a: KubernetesObject, b: KubernetesObject): boolean {
  return fingerprint(dataOf(a)) === fingerprint(dataOf(b));
}

/** Those whose certificates its proxies believe. */
export function authoritiesOf(secret: KubernetesObject): string {
  return Buffer.from(dataOf(secret)["ca.crt"] ?? "", "base64").toString("utf8");
}

export function sessionKeyOf(secret: KubernetesObject): Uint8Array | undefined {
  const key = Buffer.from(dataOf(secret)[sessionKeyName] ?? "", "base64");
  return key.length === 32 ? key : undefined;
}

function render(
  fleet: Fleet,
  names: FleetNames,
  data: Readonly<Record<string, string>>,
  marks: Readonly<Record<string, string>>,
): KubernetesObject {
  const name = names.secretName(fleet);
  const object = renderObject(secrets, fleet, names, { name, type: "kubernetes.io/tls", data });
  const annotations = { ...object.metadata.annotations, ...marks };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** Only what is ours: others may have added entries. */
function dataOf(secret: KubernetesObject): Readonly<Record<string, string>> {
  const data: unknown = secret["data"];
  const entries = typeof data === "object" && data !== null ? Object.entries(data) : [];
  const ours = ["ca.crt", sessionKeyName, "tls.crt", "tls.key"];
  return Object.fromEntries(
    entries
      .filter((entry): entry is [string, string] => ours.includes(entry[0]) && typeof entry[1] === "string")
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function fingerprint(data: Readonly<Record<string, string>>): string {
  return createHash("sha256").update(JSON.stringify(data)).digest("hex");
}

const base64 = (content: string | Uint8Array) => Buffer.from(content).toString("base64");
