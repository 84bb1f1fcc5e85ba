// The lab's certificates: one authority, the servers, an administrator. Nobody outside trusts them.

import { generateKeyPairSync, webcrypto } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { apiServerPort, kubernetesService, node } from "./addresses.mjs";

const day = 24 * 60 * 60 * 1000;
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** Writes `pki/` and `admin.kubeconfig` into the lab's folder; resolves to their paths. */
export async function makePki(folder) {
  const x509 = await loadX509();
  const pki = join(folder, "pki");
  mkdirSync(pki, { recursive: true });
  const file = (name) => join(pki, name);
  const ca = await issue(x509, { subject: [{ CN: ["lab"] }] });
  writeFileSync(file("ca.crt"), ca.certificate);

  const leaves = {
    "kube-apiserver": {
      subject: [{ CN: ["kube-apiserver"] }],
      names: [
        "kubernetes",
        "kubernetes.default",
        "kubernetes.default.svc",
        "kubernetes.default.svc.cluster.local",
      ],
      addresses: [node.ipv4, node.ipv6, kubernetesService, "127.0.0.1"],
    },
    kubelet: { subject: [{ CN: ["lab-node"] }], addresses: [node.ipv4, node.ipv6] },
    admin: { subject: [{ O: ["system:masters"] }, { CN: ["lab-admin"] }] },
  };
  const made = {};
  for (const [name, options] of Object.entries(leaves)) {
    made[name] = await issue(x509, { ...options, ca });
    writeFileSync(file(`${name}.crt`), made[name].certificate);
    writeFileSync(file(`${name}.key`), made[name].key, { mode: 0o600 });
  }

  const tokens = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  writeFileSync(file("tokens.pub"), tokens.publicKey);
  writeFileSync(file("tokens.key"), tokens.privateKey, { mode: 0o600 });

  const kubeconfig = join(folder, "admin.kubeconfig");
  writeFileSync(kubeconfig, renderKubeconfig(ca, made.admin), { mode: 0o600 });
  return { file, kubeconfig };
}

function renderKubeconfig(ca, admin) {
  const base64 = (text) => Buffer.from(text).toString("base64");
  const server = `https://${node.ipv4}:${apiServerPort}`;
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "lab", cluster: { server, "certificate-authority-data": base64(ca.certificate) } }],
    users: [
      {
        name: "admin",
        user: { "client-certificate-data": base64(admin.certificate), "client-key-data": base64(admin.key) },
      },
    ],
    contexts: [{ name: "lab", context: { cluster: "lab", user: "admin" } }],
    "current-context": "lab",
  });
}

// Without `ca`: the authority itself.
async function issue(x509, { subject, names = [], addresses = [], ca }) {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const alternatives = [
    ...names.map((value) => ({ type: "dns", value })),
    ...addresses.map((value) => ({ type: "ip", value })),
  ];
  const usages = x509.KeyUsageFlags;
  const extensions = ca
    ? [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.ExtendedKeyUsageExtension([
          x509.ExtendedKeyUsage.serverAuth,
          x509.ExtendedKeyUsage.clientAuth,
        ]),
        ...(alternatives.length > 0 ? [new x509.SubjectAlternativeNameExtension(alternatives)] : []),
      ]
    : [
        new x509.BasicConstraintsExtension(true, undefined, true),
        new x509.KeyUsagesExtension(usages.keyCertSign | usages.cRLSign, true),
      ];
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: `1${Buffer.from(webcrypto.getRandomValues(new Uint8Array(12))).toString("hex")}`,
    subject,
    issuer: ca?.subject ?? subject,
    notBefore: new Date(Date.now() - day),
    notAfter: new Date(Date.now() + 30 * day),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: (ca?.keys ?? keys).privateKey,
    extensions,
  });
  const bytes = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey)).toString("base64");
  const key = `-----BEGIN PRIVATE KEY-----\n${bytes.replace(/.{1,64}/g, "$&\n")}-----END PRIVATE KEY-----\n`;
  return { subject, keys, key, certificate: `${certificate.toString("pem").trim()}\n` };
}

// The library asks for two functions of the decorator metadata proposal, which Node does not have, before it is loaded.
async function loadX509() {
  const metadata = new WeakMap();
  Reflect.getMetadata ??= (key, target) => metadata.get(target)?.get(key);
  Reflect.getOwnMetadata ??= Reflect.getMetadata;
  Reflect.defineMetadata ??= (key, value, target) => {
    metadata.set(target, (metadata.get(target) ?? new Map()).set(key, value));
  };
  const x509 = await import("@peculiar/x509");
  x509.cryptoProvider.set(webcrypto);
  return x509;
}
