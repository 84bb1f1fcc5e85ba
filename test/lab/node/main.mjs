// The process node: one program that is kubelet, scheduler, kube-proxy, load balancer and DNS of a lab.
//
//   node main.mjs FOLDER      FOLDER: the lab's state, with pki/ and images.json

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasIpv6 } from "../addresses.mjs";
import { apiClient, watchStore } from "./api.mjs";
import { startDns } from "./dns.mjs";
import { startKubeletServer } from "./kubelet-server.mjs";
import { loadBalancers } from "./load-balancers.mjs";
import { runPods } from "./pods.mjs";
import { registerDns, registerNode } from "./registration.mjs";
import { followServices, servicePorts } from "./services.mjs";
import { serviceTables } from "./services-nft.mjs";

const [folder] = process.argv.slice(2);
for (const name of ["pods", "run", "logs/pods"]) mkdirSync(join(folder, name), { recursive: true });
const api = apiClient(folder);
await Promise.all([registerNode(api), registerDns(api)]);

// Services
const tables = serviceTables();
const portKeys = new Map(); // service → keys of its ports
const balancers = loadBalancers(api);
const services = followServices(api, (keys) => {
  const changes = new Map();
  for (const key of keys) {
    const service = services.service(key);
    const external = balancers.addressesOf(key, service);
    for (const known of portKeys.get(key) ?? []) changes.set(known, undefined);
    portKeys.delete(key);
    for (const family of service ? (hasIpv6 ? ["ipv4", "ipv6"] : ["ipv4"]) : []) {
      const endpoints = services.endpoints(key, family === "ipv4" ? "IPv4" : "IPv6");
      for (const port of servicePorts(service, endpoints, family, external)) {
        changes.set(port.key, port);
        portKeys.set(key, [...(portKeys.get(key) ?? []), port.key]);
      }
    }
  }
  void tables.update(changes);
});
await services.synced;
await tables.update(new Map());
await startDns(services);

// Pods
const images = JSON.parse(readFileSync(join(folder, "images.json"), "utf8"));
const node = { api, folder, images, configMaps: undefined, secrets: undefined };
let pods;
const follow = (path, kind) =>
  watchStore(api, path, (object, previous) => pods?.referenceChanged(kind, object ?? previous));
node.configMaps = follow("/api/v1/configmaps", "configmap");
node.secrets = follow("/api/v1/secrets", "secret");
await Promise.all([node.configMaps.synced, node.secrets.synced]);
pods = runPods(node);
await pods.synced;
await startKubeletServer(folder, (...what) => pods.log(...what));

process.on("SIGTERM", () => void pods.stop().finally(() => process.exit(0)));
process.on("unhandledRejection", (error) => console.error("unhandled:", error));
writeFileSync(join(folder, "node-ready"), "");
console.log("the node is ready");
