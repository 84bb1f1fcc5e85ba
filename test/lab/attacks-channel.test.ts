/** Attacks on the channel and on proxy Pods from elsewhere in the cluster. This process can reach every Pod, as a Pod can. */
import { connect as connectPlain } from "node:net";
import { connect, type ConnectionOptions } from "node:tls";
import { Client, credentials, status, type ServiceError } from "@grpc/grpc-js";
import { beforeEach, describe, expect, it } from "vitest";
import { agentMethod } from "../../src/agent/index.ts";
import {
  channelServerName,
  connectChannel,
  makeAuthority,
  type ServerCertificate,
} from "../../src/channel/index.ts";
import type { KubernetesObject } from "../../src/kubernetes/index.ts";
import { decodeMessage, encodeMessage } from "../../src/drivers/envoy/messages/index.ts";
import { makeCertificate } from "../certificates.ts";
import {
  controllersOf,
  gatewayStatus,
  inNetworkOf,
  openShop,
  podsOf,
  types,
  useChart,
} from "./installed-chart.ts";
import type { Lab } from "./lab.ts";

const begin = useChart(["replicas=1", "proxies.driver=envoy", "proxyConfig.replicas=1"]);
const long = 240_000;
const delta = "/envoy.service.discovery.v3.AggregatedDiscoveryService/DeltaAggregatedResources";
const replicas = "/gatewright.controller.v1.Replicas/Report";
const kinds = {
  cluster: "envoy.config.cluster.v3.Cluster",
  listener: "envoy.config.listener.v3.Listener",
  secret: "envoy.extensions.transport_sockets.tls.v3.Secret",
  endpoints: "envoy.config.endpoint.v3.ClusterLoadAssignment",
};
/** What the other Gateway's resources are called, or may be. */
const guesses = [
  "shop/victim",
  "shop/victim/tcp/443",
  "certificate/Secret/shop/victim",
  "Service/shop/echo/80",
];
const addressIn = (pod: KubernetesObject) => (pod["status"] as { readonly podIP: string }).podIP;

const prize = `---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: victim, namespace: shop }
spec:
  gatewayClassName: gatewright
  listeners: [{ name: https, port: 443, protocol: HTTPS, tls: { certificateRefs: [{ name: victim }] } }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: agents, namespace: shop }
spec:
  gatewayClassName: gatewright
  infrastructure: { parametersRef: { group: gatewright.dev, kind: ProxyConfig, name: agents } }
  listeners: [{ name: http, port: 80, protocol: HTTP }]
---
apiVersion: gatewright.dev/v1alpha1
kind: ProxyConfig
metadata: { name: agents, namespace: shop }
spec: { driver: embedded, replicas: 1 }
`;

let opened: Promise<string> | undefined;
let lab: Lab;
/** `host:port` of the channel. */
let channel: string;

beforeEach(async (context) => {
  lab = await begin(context);
  opened ??= (async () => {
    await lab.kubectl("create", "namespace", "shop");
    const { certificates, privateKey } = await makeCertificate({ names: ["victim.test"] });
    await lab.client.apply(types.secrets, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "victim", namespace: "shop" },
      type: "kubernetes.io/tls",
      stringData: { "tls.crt": certificates, "tls.key": privateKey },
    });
    await openShop(lab, prize);
    for (const name of ["victim", "agents"]) {
      await lab.kubectl(
        "wait",
        "-n",
        "shop",
        "--for=condition=Programmed",
        `gateway/${name}`,
        "--timeout=90s",
      );
    }
    return `${addressIn((await controllersOf(lab))[0]!)}:18000`;
  })();
  channel = await opened;
}, long);

/** As it stands in the Pod's volume. */
async function certificateOf(gateway: string): Promise<ServerCertificate> {
  const secret = await lab.client.get(types.secrets, `${gateway}-gatewright-channel`, "shop");
  const data = secret!["data"] as Readonly<Record<string, string>>;
  const text = (name: string) => Buffer.from(data[name]!, "base64").toString("utf8");
  return { certificate: text("tls.crt"), key: text("tls.key"), authorities: text("ca.crt") };
}

function shakeHands(options: ConnectionOptions): Promise<string> {
  const [host, port] = channel.split(":");
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: Number(port),
      servername: channelServerName,
      ALPNProtocols: ["h2"],
      ...options,
    });
    socket.once("data", () => resolve("let in"));
    socket.once("error", () => resolve("turned away"));
    socket.once("close", () => resolve("turned away"));
  });
}

/** Everything that is sent for these requests within two seconds: resources by name, as text. */
async function asked(certificate: ServerCertificate, node: string): Promise<[string, string][]> {
  const stream = await connectChannel({ address: channel, path: delta, certificate });
  const got: [string, string][] = [];
  stream.listen({
    message(bytes) {
      const { resources = [] } = decodeMessage("envoy.service.discovery.v3.DeltaDiscoveryResponse", bytes);
      for (const { name = "", resource } of resources) {
        if (resource && "bytes" in resource) got.push([name, Buffer.from(resource.bytes).toString("latin1")]);
      }
    },
    closed() {},
  });
  for (const kind of Object.values(kinds)) {
    const message = {
      node: { id: node, cluster: "shop/victim" },
      typeUrl: `type.googleapis.com/${kind}`,
      resourceNamesSubscribe: ["*", ...guesses],
    };
    stream.send(encodeMessage("envoy.service.discovery.v3.DeltaDiscoveryRequest", message));
  }
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  stream.close();
  return got;
}

describe("the channel, from another Pod", () => {
  it("attack 21: nobody gets in without a certificate of ours", async () => {
    const { authorities: ca } = await certificateOf("web");
    expect(await shakeHands({ ca })).toBe("turned away");
    const stranger = await (await makeAuthority()).issueProxy("shop/victim");
    expect(await shakeHands({ ca, cert: stranger.certificate, key: stranger.key })).toBe("turned away");
    const own = await certificateOf("web");
    expect(await shakeHands({ ca, cert: own.certificate, key: own.key })).toBe("let in");
  });

  it("attack 21: a Gateway's proxy gets nothing of another Gateway, whatever it calls itself and asks for", async () => {
    const [victim] = await podsOf(lab, "victim");
    const before = await gatewayStatus(lab, "victim");
    const stolen = await asked(await certificateOf("web"), victim!.metadata.name);
    const names = (list: typeof stolen) => list.map(([name]) => name).join(" ");
    expect(names(stolen)).toContain("shop/web");
    // Endpoints of what is not known are none: nothing but the name that was asked for.
    const isEcho = ([name, content]: readonly [string, string]) => content.length <= name.length + 2;
    const text = stolen
      .filter((each) => !isEcho(each))
      .flat()
      .join(" ");
    for (const secret of ["victim", "PRIVATE KEY", "CERTIFICATE"]) expect(text).not.toContain(secret);
    // The victim itself gets them, so there was something to be had.
    const own = await asked(await certificateOf("victim"), "another");
    expect(names(own)).toContain("shop/victim");
    expect(own.flat().join(" ")).toContain("PRIVATE KEY");
    expect(await gatewayStatus(lab, "victim")).toEqual(before);
  });

  it("attack 21: state of the world, unary and anything else is not implemented", async () => {
    const { certificate, key, authorities } = await certificateOf("victim");
    const client = new Client(
      channel,
      credentials.createSsl(Buffer.from(authorities), Buffer.from(key), Buffer.from(certificate)),
      { "grpc.ssl_target_name_override": channelServerName },
    );
    const asItIs = (bytes: Buffer) => bytes;
    const paths = [
      "/envoy.service.discovery.v3.AggregatedDiscoveryService/StreamAggregatedResources",
      "/envoy.service.listener.v3.ListenerDiscoveryService/StreamListeners",
      "/envoy.service.secret.v3.SecretDiscoveryService/FetchSecrets",
      "/envoy.service.secret.v3.SecretDiscoveryService/StreamSecrets",
      "/envoy.service.secret.v3.SecretDiscoveryService/DeltaSecrets",
      "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    ];
    for (const path of paths) {
      const unary = await new Promise<ServiceError | null>((resolve) => {
        client.makeUnaryRequest(path, asItIs, asItIs, Buffer.alloc(0), (error) => resolve(error));
      });
      const streamed = await new Promise<ServiceError>((resolve) => {
        const call = client.makeBidiStreamRequest(path, asItIs, asItIs);
        call.on("error", (error: ServiceError) => resolve(error));
        call.on("data", () => undefined);
      });
      expect([path, unary?.code, streamed.code]).toEqual([path, status.UNIMPLEMENTED, status.UNIMPLEMENTED]);
    }
    client.close();
  });

  it("attack 21: proxies are kept to their own service", async () => {
    const closing = async (gateway: string, path: string) => {
      const stream = await connectChannel({
        address: channel,
        path,
        certificate: await certificateOf(gateway),
      });
      return new Promise<string>((resolve) => {
        stream.listen({ message: (bytes) => resolve(`got ${bytes.toString()}`), closed: resolve });
        stream.send(
          Buffer.from(
            JSON.stringify({ type: "hello", name: "x", version: "1", driver: "embedded", has: {} }),
          ),
        );
      });
    };
    expect(await closing("web", replicas)).toContain("does not name a controller");
    expect(await closing("victim", agentMethod)).toContain("no proxies that are programmed this way");
    expect(await closing("agents", agentMethod)).toMatch(/^got .*shop\/agents/);
  });
});

describe("a proxy's Pod, from another Pod", () => {
  it.each(["web", "agents"])(
    "attack 22: of %s only listeners and the status port are open",
    async (gateway) => {
      const [pod] = await podsOf(lab, gateway);
      const { stdout } = await inNetworkOf(pod!.metadata.name, "ss", "-Hltn");
      const open = stdout
        .trim()
        .split("\n")
        .map((line) => line.trim().split(/\s+/)[3]!)
        .filter((local) => !/^(127\.|\[::1\])/.test(local))
        .map((local) => Number(local.slice(local.lastIndexOf(":") + 1)));
      expect([...new Set(open)].toSorted((a, b) => a - b)).toEqual([10_080, 19_001]);
    },
  );

  it.each(["web", "agents"])(
    "attack 22: the status port of %s answers only /ready and /metrics",
    async (gateway) => {
      const [pod] = await podsOf(lab, gateway);
      const ask = (method: string, target: string) => rawAnswer(addressIn(pod!), 19_001, method, target);
      expect(await ask("GET", "/ready")).toMatch(/^HTTP\/1.1 200/);
      expect(await ask("GET", "/metrics")).toMatch(/^HTTP\/1.1 200/);
      const targets = [
        "/",
        "/config_dump",
        "/config_dump?include_eds",
        "/certs",
        "/stats",
        "/clusters",
        "/server_info",
        "/help",
        "/model",
        "/objects",
        "/readyz",
        "/ready/../config_dump",
        "/metrics/../config_dump",
        "/metrics/..%2fconfig_dump",
        "/metrics%2f..%2fconfig_dump",
        "/%2e%2e/config_dump",
        "/metrics/%2e%2e/config_dump",
        "//config_dump",
        "/metrics//config_dump",
        "/ready;/config_dump",
        "http://127.0.0.1/config_dump",
      ];
      for (const target of targets) {
        const got = await ask("GET", target);
        expect([target, got.slice(0, 12)]).toEqual([target, expect.stringMatching(/^HTTP\/1.1 4\d\d/)]);
      }
      for (const target of [
        "/quitquitquit",
        "/drain_listeners",
        "/healthcheck/fail",
        "/logging?level=trace",
        "/ready",
        "/metrics",
      ]) {
        const got = await ask("POST", target);
        expect([target, got.slice(0, 12)]).toEqual([target, expect.stringMatching(/^HTTP\/1.1 4\d\d/)]);
      }
    },
  );

  it("attack 22: of the controller only health and metrics", async () => {
    const [pod] = await controllersOf(lab);
    const ask = (target: string) => rawAnswer(addressIn(pod!), 19_000, "GET", target);
    for (const target of ["/healthz", "/readyz", "/metrics"])
      expect(await ask(target)).toMatch(/^HTTP\/1.1 200/);
    expect(await ask("/metrics")).toContain('gatewright_envoy_refusals_total{gateway="shop/victim"} 0\n');
    for (const target of [
      "/",
      "/model",
      "/objects",
      "/statuses",
      "/problems",
      "/api/v1/model",
      "/metrics/../model",
    ]) {
      const got = await ask(target);
      expect([target, got.slice(0, 12)]).toEqual([target, expect.stringMatching(/^HTTP\/1.1 4\d\d/)]);
    }
  });
});

/** The whole answer. Sends the target as it is: a client library would tidy it up. */
function rawAnswer(host: string, port: number, method: string, target: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connectPlain(port, host, () => {
      socket.write(
        `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
    });
    socket.setTimeout(5_000, () => socket.destroy());
    let answer = "";
    socket.setEncoding("latin1").on("data", (text: string) => (answer += text));
    socket.on("error", (error) => resolve(error.message));
    socket.on("close", () => resolve(answer || "no answer"));
  });
}
