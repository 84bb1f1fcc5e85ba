/*
 * The channel's authority is kept in a Secret beside the controller, so that proxies know a controller that was restarted, and all
 * replicas. Whoever starts first makes it; the API server sees to it that there is one. If somebody deletes it, those who run make a new
 * one, and the old one is believed for as long as what it signed lasts, a day. Deleted while nobody runs, it is forgotten, with all that
 * it signed.
 */
import {
  makeAuthority,
  openAuthority,
  type AuthorityKeeping,
  type ChannelAuthority,
} from "../../channel/index.ts";
import { KubernetesError, type KubernetesClient, type KubernetesObject } from "../../kubernetes/index.ts";
import { secrets } from "./resource-types.ts";

export const authorityName = "gatewright-channel-authority";

/** The authority that is kept, or a new one. `before`: the one that was kept until now. */
export async function keptAuthority(
  client: Pick<KubernetesClient, "get" | "create">,
  namespace: string,
  before?: AuthorityKeeping,
): Promise<ChannelAuthority> {
  for (;;) {
    const found = await client.get(secrets, authorityName, namespace);
    if (found) return openAuthority(keepingOf(found));
    const made = await makeAuthority(before ? { before } : {});
    try {
      await client.create(secrets, renderAuthority(made.keeping, namespace));
      return made;
    } catch (error) {
      // Another replica was faster: its authority is the one.
      if (!(error instanceof KubernetesError && error.status === 409)) throw error;
    }
  }
}

/** Rejects if it is not one of ours, or broken. */
export function openKeptAuthority(secret: KubernetesObject): Promise<ChannelAuthority> {
  return openAuthority(keepingOf(secret));
}

function keepingOf(secret: KubernetesObject): AuthorityKeeping {
  const data = (secret["data"] ?? {}) as Readonly<Record<string, string>>;
  const text = (name: string) => Buffer.from(data[name] ?? "", "base64").toString("utf8");
  return { certificate: text("tls.crt"), key: text("tls.key"), previous: text("previous.crt") };
}

export function renderAuthority(keeping: AuthorityKeeping, namespace: string): KubernetesObject {
  const data = { "tls.crt": keeping.certificate, "tls.key": keeping.key, "previous.crt": keeping.previous };
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: authorityName, namespace, labels: { "app.kubernetes.io/managed-by": "gatewright" } },
    type: "kubernetes.io/tls",
    data: Object.fromEntries(
      Object.entries(data).map(([name, text]) => [name, Buffer.from(text).toString("base64")]),
    ),
  };
}
