// A second API server in a lab, with objects of its own: the guest of a hosted control plane. No controllers, no nodes.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { componentNamed } from "../components/components.mjs";
import { node, services } from "../lab/addresses.mjs";
import { startProcess, until } from "../lab/processes.mjs";

const port = 7443;

/** `lab`: its `folder` and `kubeconfig`. */
export async function startGuestCluster({ folder, kubeconfig: labConfig, loadClient }) {
  const pki = (name) => join(folder, "pki", name);
  const apiServer = startProcess(folder, "guest-apiserver", componentNamed("kube-apiserver").find(), [
    "--etcd-servers=http://127.0.0.1:2379",
    // Another place in the same store: neither sees the other's objects.
    "--etcd-prefix=/guest",
    `--service-cluster-ip-range=${services.ipv4}`,
    `--advertise-address=${node.ipv4}`,
    `--secure-port=${port}`,
    "--authorization-mode=RBAC",
    `--client-ca-file=${pki("ca.crt")}`,
    `--tls-cert-file=${pki("kube-apiserver.crt")}`,
    `--tls-private-key-file=${pki("kube-apiserver.key")}`,
    "--service-account-issuer=https://guest.example.com",
    `--service-account-key-file=${pki("tokens.pub")}`,
    `--service-account-signing-key-file=${pki("tokens.key")}`,
    "--enable-priority-and-fairness=false",
  ]);
  const config = JSON.parse(readFileSync(labConfig, "utf8"));
  for (const { cluster } of config.clusters) cluster.server = `https://${node.ipv4}:${port}`;
  const kubeconfig = join(folder, "guest.kubeconfig");
  writeFileSync(kubeconfig, JSON.stringify(config), { mode: 0o600 });
  const client = await loadClient(kubeconfig);
  await until(
    "the guest's API server",
    () => client.request({ method: "GET", path: "/api/v1/namespaces/default" }),
    {
      seconds: 120,
      processes: [apiServer],
    },
  );
  return {
    kubeconfig,
    client,
    async stop() {
      await client.close();
      await apiServer.stop();
    },
  };
}
