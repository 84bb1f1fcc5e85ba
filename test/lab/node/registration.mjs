// The Node object, and the cluster's DNS as a Service.

import { dnsService, hasIpv6, kubeletPort, node, nodeName } from "../addresses.mjs";
import { capacity } from "./quantities.mjs";

export async function registerNode(api) {
  const labels = {
    "kubernetes.io/hostname": nodeName,
    "kubernetes.io/os": "linux",
    "kubernetes.io/arch": process.arch === "x64" ? "amd64" : process.arch,
    "topology.kubernetes.io/zone": "lab",
  };
  await create(api, "/api/v1/nodes", {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: nodeName, labels },
  });
  // Admission adds a not-ready taint, and the controller that would take it away does not run here.
  await api.patch(`/api/v1/nodes/${nodeName}`, { spec: { taints: null } }, "application/merge-patch+json");
  const now = new Date().toISOString();
  const addresses = [
    { type: "InternalIP", address: node.ipv4 },
    ...(hasIpv6 ? [{ type: "InternalIP", address: node.ipv6 }] : []),
    { type: "Hostname", address: nodeName },
  ];
  const ready = {
    type: "Ready",
    status: "True",
    reason: "LabNode",
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  };
  await api.patch(
    `/api/v1/nodes/${nodeName}/status`,
    {
      status: {
        capacity,
        allocatable: capacity,
        addresses,
        daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort } },
        conditions: [ready],
      },
    },
    "application/merge-patch+json",
  );
}

export async function registerDns(api) {
  const metadata = { name: "kube-dns", namespace: "kube-system", labels: { "k8s-app": "kube-dns" } };
  const ports = ["UDP", "TCP"].map((protocol) => ({ name: protocol.toLowerCase(), port: 53, protocol }));
  await create(api, "/api/v1/namespaces/kube-system/services", {
    apiVersion: "v1",
    kind: "Service",
    metadata,
    spec: { clusterIP: dnsService, ports },
  });
  await create(api, "/apis/discovery.k8s.io/v1/namespaces/kube-system/endpointslices", {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { ...metadata, labels: { "kubernetes.io/service-name": "kube-dns" } },
    addressType: "IPv4",
    ports,
    endpoints: [{ addresses: [node.ipv4], conditions: { ready: true } }],
  });
}

async function create(api, path, object) {
  try {
    await api.post(path, object);
  } catch (error) {
    if (error.status !== 409) throw error;
  }
}
