import type { MadeCertificate } from "../certificates.ts";

export function secret(name: string, { certificates, privateKey }: MadeCertificate): object {
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace: "shop" },
    type: "kubernetes.io/tls",
    data: { "tls.crt": base64(certificates), "tls.key": base64(privateKey) },
  };
}

export function configMap(name: string, authority: string): object {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "shop" },
    data: { "ca.crt": authority },
  };
}
