// A gateway out of objects that the program itself makes. Saved as memory.mjs:  node memory.mjs [PORT]
import { once } from "node:events";
import http from "node:http";
import { createController, embeddedDriver, formatPath, memorySource, parseResource } from "gatewright";

const port = Number(process.argv[2] ?? 8080);
const backend = http.createServer((request, response) => response.end(`hello from ${request.url}\n`));
await once(backend.listen(0, "127.0.0.1"), "listening");
const { port: backendPort } = Object(backend.address());

// What is not valid never gets into the source: parseResource says what is wrong with it, and where.
function resource(object = {}) {
  const parsed = parseResource(object);
  if (parsed.outcome === "resource") return parsed.resource;
  if (parsed.outcome === "unknown-kind") throw new Error(`${parsed.kind} is not known`);
  throw new Error(parsed.problems.map(({ path, message }) => `${formatPath(path)}: ${message}`).join("\n"));
}

const route = (prefix = "/a") =>
  resource({
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "HTTPRoute",
    metadata: { name: "hello" },
    spec: {
      parentRefs: [{ name: "web" }],
      rules: [
        {
          matches: [{ path: { type: "PathPrefix", value: prefix } }],
          backendRefs: [{ name: "hello", port: 80 }],
        },
      ],
    },
  });

const source = memorySource([
  resource({
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "Gateway",
    metadata: { name: "web" },
    spec: { gatewayClassName: "mine", listeners: [{ name: "http", port, protocol: "HTTP" }] },
  }),
  resource({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "hello" },
    spec: { ports: [{ port: 80 }] },
  }),
  resource({
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { name: "hello-1", labels: { "kubernetes.io/service-name": "hello" } },
    addressType: "IPv4",
    ports: [{ port: backendPort }],
    endpoints: [{ addresses: ["127.0.0.1"] }],
  }),
  route(),
]);

const controller = createController({
  source,
  driver: embeddedDriver({ limits: { grace: 1_000 } }),
  events: {
    statuses: (statuses) => statuses.forEach(({ key }) => console.log("status of", key)),
    fault: (where, error) => console.error(where, error),
  },
});
await controller.start(); // All of it is in force, or refused with a reason in a status.

const ask = async (path = "/") => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: "close" } });
  console.log(path, answer.status);
};
await ask("/a");
await ask("/b");

source.set(route("/b")); // The route of the same name is replaced.
await controller.settled();
await ask("/a");
await ask("/b");

const web = controller.find("Gateway", "default/web");
console.log("addresses of web:", web && controller.statusOf(web)?.["addresses"]);

await controller.stop();
backend.close();
