// etcd, kube-apiserver and kube-controller-manager, as a small real cluster runs them.

import { readFileSync } from "node:fs";
import { request as httpsRequest } from "node:https";
import { join } from "node:path";
import { apiServerPort, hasIpv6, node, services } from "./addresses.mjs";
import { startProcess, until } from "./processes.mjs";

const etcdAddress = "http://127.0.0.1:2379";

// What would need a scheduler, a cloud, metrics or disks; and what would take our node away for want of heartbeats.
const controllersOff = [
  "node-lifecycle-controller",
  "taint-eviction-controller",
  "node-ipam-controller",
  "cloud-node-lifecycle-controller",
  "service-lb-controller",
  "node-route-controller",
  "persistentvolume-binder-controller",
  "persistentvolume-attach-detach-controller",
  "horizontal-pod-autoscaler-controller",
];

/** programs: `etcd`, `kube-apiserver`, `kube-controller-manager`; resolves when the API server is ready. */
export async function startControlPlane({ folder, programs, pki }) {
  const etcd = startProcess(folder, "etcd", programs.etcd, [
    `--data-dir=${join(folder, "etcd")}`,
    `--listen-client-urls=${etcdAddress}`,
    `--advertise-client-urls=${etcdAddress}`,
    "--listen-peer-urls=http://127.0.0.1:2380",
    // The data is gone with the lab anyway.
    "--unsafe-no-fsync",
    "--log-level=warn",
  ]);
  const apiServer = startProcess(folder, "kube-apiserver", programs["kube-apiserver"], [
    `--etcd-servers=${etcdAddress}`,
    `--service-cluster-ip-range=${services.ipv4}${hasIpv6 ? `,${services.ipv6}` : ""}`,
    `--advertise-address=${node.ipv4}`,
    `--bind-address=${hasIpv6 ? "::" : "0.0.0.0"}`,
    `--secure-port=${apiServerPort}`,
    "--allow-privileged=true",
    "--authorization-mode=RBAC",
    `--client-ca-file=${pki.file("ca.crt")}`,
    `--tls-cert-file=${pki.file("kube-apiserver.crt")}`,
    `--tls-private-key-file=${pki.file("kube-apiserver.key")}`,
    "--service-account-issuer=https://kubernetes.default.svc",
    `--service-account-key-file=${pki.file("tokens.pub")}`,
    `--service-account-signing-key-file=${pki.file("tokens.key")}`,
    `--kubelet-certificate-authority=${pki.file("ca.crt")}`,
    `--kubelet-client-certificate=${pki.file("admin.crt")}`,
    `--kubelet-client-key=${pki.file("admin.key")}`,
    "--kubelet-preferred-address-types=InternalIP",
    "--enable-priority-and-fairness=false",
    "--event-ttl=10m",
  ]);
  const ready = () =>
    until("the API server", () => apiServerIsReady(pki), { seconds: 120, processes: [etcd, apiServer] });
  await ready();
  const controllerManager = startProcess(
    folder,
    "kube-controller-manager",
    programs["kube-controller-manager"],
    [
      `--kubeconfig=${pki.kubeconfig}`,
      "--leader-elect=false",
      `--service-account-private-key-file=${pki.file("tokens.key")}`,
      `--root-ca-file=${pki.file("ca.crt")}`,
      "--kube-api-qps=300",
      "--kube-api-burst=600",
      "--concurrent-deployment-syncs=10",
      // A namespace or a garbage object shall go soon.
      "--concurrent-namespace-syncs=20",
      `--controllers=*,${controllersOff.map((name) => `-${name}`).join(",")}`,
    ],
  );
  return { etcd, apiServer, controllerManager, ready, etcdAddress };
}

function apiServerIsReady(pki) {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(
      {
        host: node.ipv4,
        port: apiServerPort,
        path: "/readyz",
        ca: readFileSync(pki.file("ca.crt")),
        cert: readFileSync(pki.file("admin.crt")),
        key: readFileSync(pki.file("admin.key")),
        agent: false,
        timeout: 2000,
      },
      (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      },
    );
    request.on("timeout", () => request.destroy(new Error("no answer within 2 s")));
    request.on("error", reject).end();
  });
}
