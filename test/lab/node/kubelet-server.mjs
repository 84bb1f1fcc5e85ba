// The part of a kubelet's API that `kubectl logs` needs, on the node's port 10250.

import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { kubeletPort, node } from "../addresses.mjs";
import { sendLog } from "./logs.mjs";

/** findLog(namespace, pod, container, previous) → a container's log, or undefined. */
export function startKubeletServer(folder, findLog) {
  const pki = (name) => readFileSync(join(folder, "pki", name));
  const credentials = {
    cert: pki("kubelet.crt"),
    key: pki("kubelet.key"),
    ca: pki("ca.crt"),
    requestCert: true,
  };
  const server = createServer(credentials, (request, response) => {
    const url = new URL(request.url, "https://kubelet");
    const [kind, namespace, pod, container] = url.pathname.slice(1).split("/").map(decodeURIComponent);
    if (url.pathname === "/healthz") return response.end("ok");
    if (kind !== "containerLogs") return answer(response, 404, "the lab's node has no such endpoint");
    const log = findLog(namespace, pod, container, url.searchParams.get("previous") === "true");
    if (!log) return answer(response, 404, `no log of container ${container} in Pod ${namespace}/${pod}`);
    return sendLog(log, url.searchParams, response);
  });
  return new Promise((resolve) => server.listen(kubeletPort, node.ipv4, () => resolve(server)));
}

function answer(response, status, text) {
  response.writeHead(status, { "content-type": "text/plain" }).end(`${text}\n`);
}
