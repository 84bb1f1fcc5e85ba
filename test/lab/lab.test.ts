import { execFile, spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { Resolver } from "node:dns/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it, type TestContext } from "vitest";
import { componentNamed } from "../components/components.mjs";
import { startLab, until, useLab, type Lab } from "./lab.ts";

const run = promisify(execFile);
// An image from nothing but one program.
const scratch = mkdtempSync(join(tmpdir(), "gatewright-scratch-"));
const program = componentNamed("echo-basic").find();
if (program !== undefined) copyFileSync(program, join(scratch, "echo"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const useIt = useLab({
  components: ["echo-basic", "coredns", "envoy"],
  images: { "from-scratch": { root: scratch, entrypoint: ["/echo"], user: 65_532, group: 65_532 } },
});
let lab: Lab;
const begin = async (context: TestContext): Promise<void> => {
  lab = await useIt(context);
};

const deployment = (name: string, pod: object, replicas = 1): string =>
  JSON.stringify({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: "default" },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { terminationGracePeriodSeconds: 5, ...pod } },
    },
  });
const service = (name: string, spec: object): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace: "default" },
    spec: { selector: { app: name }, ...spec },
  });
const echo = (more: object = {}): object => ({
  containers: [{ name: "echo", image: "registry.test/gateway-api/echo-basic:v1", ...more }],
});
const shell = (name: string, script: string, more: object = {}): object => ({
  name,
  image: "busybox",
  command: ["sh", "-c", script],
  ...more,
});
const pod = (name: string, spec: object): string =>
  JSON.stringify({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default" }, spec });

const available = (name: string) => lab.kubectl("rollout", "status", `deployment/${name}`, "--timeout=30s");
const field = (what: string, path: string) =>
  lab.kubectl("get", ...what.split(" "), "-o", `jsonpath={${path}}`);
const get = async (url: string) => (await run("curl", ["-sS", "-m", "5", "-o", "-", url])).stdout;
const processesWith = (text: string): number =>
  readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, "utf8").includes(text);
    } catch {
      return false;
    }
  }).length;

describe("Services and Pods", () => {
  it("makes a Deployment ready and its Service answer by address and by name", async (context) => {
    await begin(context);
    const readinessProbe = { httpGet: { path: "/", port: 3000 }, periodSeconds: 1 };
    await lab.apply(deployment("echo", echo({ readinessProbe }), 2));
    await lab.apply(service("echo", { ports: [{ port: 80, targetPort: 3000 }] }));
    await available("echo");
    const address = await field("service echo", ".spec.clusterIP");
    const answer = await until("an answer", () => get(`http://${address}/hello`));
    expect(JSON.parse(answer)).toMatchObject({ path: "/hello" });
    expect(JSON.parse(await get("http://echo.default.svc.cluster.local/name"))).toMatchObject({
      path: "/name",
    });
  });

  it("gives a LoadBalancer Service an address, the one it asks for if there is one", async (context) => {
    await begin(context);
    await lab.apply(deployment("balanced", echo()));
    await lab.apply(service("balanced", { type: "LoadBalancer", ports: [{ port: 8080, targetPort: 3000 }] }));
    const ports = [{ port: 8080, targetPort: 3000 }];
    const asks = (loadBalancerIP: string) => ({
      type: "LoadBalancer",
      loadBalancerIP,
      ports,
      selector: { app: "balanced" },
    });
    await lab.apply(service("asks", asks("10.200.0.200")));
    await lab.apply(service("asks-too-much", asks("192.0.2.1")));
    await available("balanced");
    const status = ".status.loadBalancer.ingress[0].ip";
    const address = await until("an address", () => field("service balanced", status));
    expect(address).toMatch(/^10[.]200[.]0[.]\d+$/);
    await until("an answer", () => get(`http://${address}:8080/`));
    expect(await until("an address", () => field("service asks", status))).toBe("10.200.0.200");
    await until("an answer", () => get("http://10.200.0.200:8080/"));
    expect(await field("service asks-too-much", status)).toBe("");
  });

  it("resets connections to a Service without endpoints", async (context) => {
    await begin(context);
    await lab.apply(service("nobody", { ports: [{ port: 80 }] }));
    const address = await field("service nobody", ".spec.clusterIP");
    await expect(get(`http://${address}/`)).rejects.toThrow(/Failed to connect/);
  });

  it("keeps existing connections when endpoints come and go", async (context) => {
    await begin(context);
    await lab.apply(deployment("stays", echo()));
    await lab.apply(service("stays", { ports: [{ port: 80, targetPort: 3000 }] }));
    await available("stays");
    const address = await field("service stays", ".spec.clusterIP");
    await until("an answer", () => get(`http://${address}/`));
    const { Agent, request } = await import("node:http");
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = () =>
      new Promise<{ port: number; pod: string }>((resolve, reject) => {
        const sent = request({ host: address, port: 80, agent }, (response) => {
          let text = "";
          response.on("data", (chunk: Buffer) => (text += chunk.toString()));
          response.on("end", () =>
            resolve({ port: sent.socket?.localPort ?? 0, pod: (JSON.parse(text) as { pod: string }).pod }),
          );
        });
        sent.on("error", reject).end();
      });
    const first = await ask();
    await lab.kubectl("scale", "deployment/stays", "--replicas=3");
    await available("stays");
    await until(
      "three endpoints",
      async () =>
        (
          await field(
            "endpointslices -l kubernetes.io/service-name=stays",
            ".items[0].endpoints[*].addresses[0]",
          )
        ).split(" ").length === 3,
    );
    expect(await ask()).toEqual(first);
    agent.destroy();
  });

  it("carries UDP through a load balancer", async (context) => {
    await begin(context);
    await lab.apply(
      JSON.stringify({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "corefile", namespace: "default" },
        data: { Corefile: ".:5353 {\n  whoami\n}\n" },
      }),
    );
    const volumes = [{ name: "config", configMap: { name: "corefile" } }];
    const container = {
      name: "dns",
      image: "registry.test/coredns/coredns:v1.12.2",
      args: ["-conf", "/config/Corefile"],
      volumeMounts: [{ name: "config", mountPath: "/config" }],
    };
    await lab.apply(deployment("udp", { containers: [container], volumes }));
    await lab.apply(
      service("udp", { type: "LoadBalancer", ports: [{ port: 53, targetPort: 5353, protocol: "UDP" }] }),
    );
    await available("udp");
    const address = await until("an address", () =>
      field("service udp", ".status.loadBalancer.ingress[0].ip"),
    );
    const resolver = new Resolver({ timeout: 1000, tries: 2 });
    resolver.setServers([address]);
    // whoami answers with the client's port in an SRV record of the additional section, and no answer: an empty result.
    const code = await until("an answer", async () => {
      const outcome = await resolver
        .resolve4("example.org")
        .catch((error: NodeJS.ErrnoException) => error.code);
      return outcome === "ENODATA" ? outcome : undefined;
    });
    expect(code).toBe("ENODATA");
  });

  it("speaks IPv6 where the kernel does", async (context) => {
    await begin(context);
    await lab.apply(deployment("dual", echo()));
    await lab.apply(
      service("dual", {
        type: "LoadBalancer",
        ipFamilyPolicy: "PreferDualStack",
        ports: [{ port: 80, targetPort: 3000 }],
      }),
    );
    await available("dual");
    const addresses = (await field("service dual", ".spec.clusterIPs[*]")).split(" ");
    const hosts = addresses.map((address) => (address.includes(":") ? `[${address}]` : address));
    for (const host of hosts) await until(`an answer of ${host}`, () => get(`http://${host}/`));
    expect(hosts).toHaveLength(existsSync("/proc/net/if_inet6") ? 2 : 1);
  });
});

describe("containers", () => {
  it("gives them their environment, user, files and a read-only root", async (context) => {
    await begin(context);
    const script = [
      'echo "user=$(id -u):$(id -g) groups=$(id -G)"',
      'echo "env=$GREETING $NODE $LIMIT"',
      'echo "args=$*"',
      'touch /forbidden 2>/dev/null && echo "root=writable" || echo "root=read-only"',
      'touch /scratch/x && echo "scratch=writable"',
      'echo "token=$(wc -c </var/run/secrets/kubernetes.io/serviceaccount/token)"',
      'echo "labels=$(cat /about/labels)"',
      "sleep 1000",
    ].join("\n");
    const container = {
      name: "main",
      image: "busybox",
      command: ["sh", "-c", script, "sh"],
      args: ["$(WHO)", "$$(WHO)", "$(NOBODY)"],
      env: [
        { name: "WHO", value: "lab" },
        { name: "GREETING", value: "hello-$(WHO)" },
        { name: "NODE", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } },
        { name: "LIMIT", valueFrom: { resourceFieldRef: { resource: "limits.memory", divisor: "1Mi" } } },
      ],
      resources: { limits: { memory: "64Mi" } },
      securityContext: {
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ["ALL"] },
      },
      volumeMounts: [
        { name: "scratch", mountPath: "/scratch" },
        { name: "about", mountPath: "/about" },
      ],
    };
    const items = [{ path: "labels", fieldRef: { fieldPath: "metadata.labels" } }];
    await lab.apply(
      deployment("inside", {
        securityContext: { runAsUser: 1234, runAsGroup: 2345, runAsNonRoot: true, fsGroup: 3456 },
        containers: [container],
        volumes: [
          { name: "scratch", emptyDir: {} },
          { name: "about", downwardAPI: { items } },
        ],
      }),
    );
    await available("inside");
    const said = await until("its words", async () => {
      const text = await lab.kubectl("logs", "deployment/inside");
      return text.includes("labels=") ? text : undefined;
    });
    expect(said).toContain("user=1234:2345 groups=2345 3456");
    expect(said).toContain("env=hello-lab lab-node 64");
    expect(said).toContain("args=lab $(WHO) $(NOBODY)");
    expect(said).toContain("root=read-only");
    expect(said).toContain("scratch=writable");
    expect(said).toMatch(/token=[1-9]\d\d/);
    expect(said).toContain('app="inside"');
  });

  it.each([
    ["gatewright", ["--version"], /^gatewright|^\d+[.]\d+/m],
    ["envoyproxy/envoy", ["--version"], /version: .*[/]1[.]\d+/],
  ])("runs the image %s as a user of its own, on a read-only root", async (image, args, words) => {
    const name = image.split("/").at(-1) ?? image;
    const securityContext = { runAsNonRoot: true, runAsUser: 65_532, readOnlyRootFilesystem: true };
    await lab.apply(
      pod(`runs-${name}`, {
        restartPolicy: "Never",
        containers: [{ name, image: `registry.test/${image}:v1`, args, securityContext }],
      }),
    );
    await until("its end", async () => (await field(`pod runs-${name}`, ".status.phase")) === "Succeeded", {
      seconds: 20,
    });
    expect(await lab.kubectl("logs", `runs-${name}`)).toMatch(words);
  });

  it("runs an image that brings its whole file system", async (context) => {
    await begin(context);
    const securityContext = { runAsNonRoot: true, readOnlyRootFilesystem: true };
    const container = { name: "main", image: "registry.test/from-scratch:1", securityContext };
    await lab.apply(deployment("scratch", { containers: [container] }));
    await available("scratch");
    const address = await field("pods -l app=scratch", ".items[0].status.podIP");
    expect(await until("an answer", () => get(`http://${address}:3000/scratch`))).toContain("/scratch");
    expect(readdirSync(scratch)).toEqual(["echo"]);
  });

  it("waits for a Secret that comes late, and brings its changes to the process", async (context) => {
    await begin(context);
    const secret = (value: string): string =>
      JSON.stringify({
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: "late", namespace: "default" },
        stringData: { word: value },
      });
    const script = "while true; do cat /secret/word; echo; sleep 0.2; done";
    const container = shell("main", script, { volumeMounts: [{ name: "secret", mountPath: "/secret" }] });
    const volumes = [{ name: "secret", secret: { secretName: "late" } }];
    await lab.apply(pod("secretive", { containers: [container], volumes }));
    expect(await field("pod secretive", ".status.containerStatuses[0].ready")).not.toBe("true");
    await lab.apply(secret("first"));
    await until("the first", async () => (await lab.kubectl("logs", "secretive")).includes("first"));
    await lab.apply(secret("second"));
    await until("the second", async () => (await lab.kubectl("logs", "secretive")).includes("second"), {
      seconds: 10,
    });
    expect(await field("pod secretive", ".status.containerStatuses[0].restartCount")).toBe("0");
    await lab.kubectl("delete", "pod", "secretive", "--grace-period=0", "--force");
  });

  it("runs init containers first, restarts what fails, and never calls a missing program ready", async (context) => {
    await begin(context);
    await lab.apply(
      pod("ordered", {
        initContainers: [
          shell("before", "echo done >/shared/mark", {
            volumeMounts: [{ name: "shared", mountPath: "/shared" }],
          }),
        ],
        containers: [
          shell("main", "cat /shared/mark; sleep 1; exit 3", {
            volumeMounts: [{ name: "shared", mountPath: "/shared" }],
          }),
          { name: "missing", image: "busybox", command: ["/no/such/program"] },
          { name: "unknown", image: "registry.test/no-such-image:1" },
        ],
        volumes: [{ name: "shared", emptyDir: {} }],
      }),
    );
    const readiness: string[] = [];
    await until("a restart", async () => {
      readiness.push(await field("pod ordered", ".status.containerStatuses[1].ready"));
      return Number(await field("pod ordered", ".status.containerStatuses[0].restartCount")) > 0;
    });
    expect(await field("pod ordered", ".status.initContainerStatuses[0].state.terminated.exitCode")).toBe(
      "0",
    );
    expect(await field("pod ordered", ".status.containerStatuses[0].lastState.terminated.exitCode")).toBe(
      "3",
    );
    expect(await lab.kubectl("logs", "ordered", "-c", "main", "--previous")).toContain("done");
    expect(readiness).not.toContain("true");
    expect(await field("pod ordered", ".status.containerStatuses[1].lastState.terminated.reason")).toBe(
      "StartError",
    );
    expect(await field("pod ordered", ".status.containerStatuses[2].state.waiting.reason")).toBe(
      "ErrImagePull",
    );
    await lab.kubectl("delete", "pod", "ordered", "--grace-period=0", "--force");
  });

  it("restarts a container whose liveness probe fails", async (context) => {
    await begin(context);
    const livenessProbe = {
      exec: { command: ["test", "-e", "/tmp/alive"] },
      periodSeconds: 1,
      failureThreshold: 2,
    };
    const container = shell("main", "touch /tmp/alive; sleep 2; rm /tmp/alive; sleep 1000", {
      livenessProbe,
    });
    await lab.apply(pod("sick", { terminationGracePeriodSeconds: 1, containers: [container] }));
    await until(
      "a restart",
      async () => Number(await field("pod sick", ".status.containerStatuses[0].restartCount")) > 0,
    );
    expect(await lab.kubectl("logs", "sick", "--previous")).toContain("liveness probe failed");
    await lab.kubectl("delete", "pod", "sick", "--grace-period=0", "--force");
  });

  it("logs with times, from a time on, and as they come", async (context) => {
    await begin(context);
    await lab.apply(
      pod("talks", {
        containers: [shell("main", "i=0; while true; do i=$((i+1)); echo line $i; sleep 0.2; done")],
      }),
    );
    await until("words", async () => (await lab.kubectl("logs", "talks")).includes("line 5"));
    const lines = (await lab.kubectl("logs", "talks", "--timestamps")).trim().split("\n");
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.]\d+Z line 1$/);
    const later = await lab.kubectl(
      "logs",
      "talks",
      `--since-time=${new Date(Date.now() + 3_600_000).toISOString()}`,
    );
    expect(later).toBe("");
    const follow = spawn(lab.kubectlProgram, [
      "--kubeconfig",
      lab.kubeconfig,
      "logs",
      "-f",
      "--tail=1",
      "talks",
    ]);
    let followed = "";
    follow.stdout.on("data", (text: Buffer) => (followed += text.toString()));
    await until("more words", () => followed.trim().split("\n").length > 3, { seconds: 5 });
    follow.kill();
    await lab.kubectl("delete", "pod", "talks", "--grace-period=0", "--force");
  });

  it("ends a Pod's processes with it: preStop first, then SIGTERM", async (context) => {
    await begin(context);
    const mark = "lab-test-mark-4711";
    const volumeMounts = [{ name: "shared", mountPath: "/shared" }];
    const script = `trap 'cat /shared/hook; exit 0' TERM; echo ${mark}; while true; do sleep 0.1; done`;
    const preStop = { exec: { command: ["sh", "-c", "sleep 0.5; echo stopped by the hook >/shared/hook"] } };
    const container = shell("main", script, { volumeMounts, lifecycle: { preStop } });
    const volumes = [{ name: "shared", emptyDir: {} }];
    await lab.apply(pod("ends", { terminationGracePeriodSeconds: 10, containers: [container], volumes }));
    await until("it runs", () => processesWith(mark) > 0);
    const started = Date.now();
    await lab.kubectl("delete", "pod", "ends");
    expect(processesWith(mark)).toBe(0);
    expect(Date.now() - started).toBeLessThan(8000);
    const words = readFileSync(`${lab.folder}/logs/pods/default_ends_main.log`, "utf8");
    expect(words).toContain("stopped by the hook");
  });
});

describe("the control plane", () => {
  it("denies what RBAC does not allow", async (context) => {
    await begin(context);
    const as = "--as=system:serviceaccount:default:default";
    const can = (...what: string[]) =>
      lab.kubectl("auth", "can-i", ...what, as).catch((error: { stdout: string }) => error.stdout);
    expect((await can("list", "secrets")).trim()).toBe("no");
    await lab.kubectl("create", "role", "reader", "--verb=list", "--resource=secrets");
    await lab.kubectl("create", "rolebinding", "reader", "--role=reader", "--serviceaccount=default:default");
    await until("the role", async () => (await can("list", "secrets")).trim() === "yes");
    expect((await can("delete", "secrets")).trim()).toBe("no");
  });

  it("hands tests the product's own client", async (context) => {
    await begin(context);
    const namespaces = {
      group: "",
      version: "v1",
      plural: "namespaces",
      kind: "Namespace",
      namespaced: false,
    };
    expect((await lab.client.get(namespaces, "default"))?.metadata.name).toBe("default");
  });

  it("hangs and crawls on demand, and is well again afterwards", async (context) => {
    await begin(context);
    const ask = (timeout: string) =>
      lab.kubectl("get", "namespace", "default", `--request-timeout=${timeout}`);
    lab.faults.pauseApiServer();
    await expect(ask("1s")).rejects.toThrow(/Timeout|deadline|timeout/);
    lab.faults.resumeApiServer();
    await ask("20s");
    lab.faults.slowApiServer(0.2);
    await ask("20s");
    lab.faults.normal();
    expect(await ask("5s")).toContain("default");
  });

  it("survives a crash of its API server, with everything that runs", async (context) => {
    await begin(context);
    await lab.apply(deployment("survivor", echo()));
    await lab.apply(service("survivor", { ports: [{ port: 80, targetPort: 3000 }] }));
    await available("survivor");
    const address = await field("service survivor", ".spec.clusterIP");
    await until("an answer", () => get(`http://${address}/`));
    await lab.faults.compactEtcd();
    await lab.faults.killApiServer();
    expect(await get(`http://${address}/down`)).toContain("/down");
    await lab.faults.startApiServer();
    await lab.kubectl("scale", "deployment/survivor", "--replicas=2");
    await available("survivor");
  });
});

describe("the end", () => {
  it("leaves no process, no namespace and no state, and another lab can start", async (context) => {
    await begin(context);
    await lab.stop();
    const others = readdirSync("/proc").filter((name) => {
      try {
        return (
          /^\d+$/.test(name) &&
          /etcd|kube-|node\/main[.]mjs|echo-basic/.test(readFileSync(`/proc/${name}/cmdline`, "utf8"))
        );
      } catch {
        return false;
      }
    });
    expect(others).toEqual([]);
    expect(readdirSync("/run/netns")).toEqual([]);
    expect(readdirSync(lab.folder)).toEqual(["resolv.conf"]);
    const second = await startLab();
    expect(await second.kubectl("get", "pods", "-A")).not.toContain("echo");
    await second.stop();
  });

  it("comes even when whoever started a lab is killed", async (context) => {
    await begin(context);
    const mark = "987654321";
    const script = [
      `import { insideLab } from ${JSON.stringify(new URL("namespaces.mjs", import.meta.url).href)};`,
      'import { spawn } from "node:child_process";',
      `const { command: [program, ...args] } = insideLab(["sleep", "${mark}"]);`,
      'spawn(program, args, { stdio: "ignore" });',
    ].join("\n");
    const starter = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "ignore" });
    const sleeping = () => processesWith(`sleep\0${mark}`) > 0;
    await until("the lab within the lab", sleeping);
    starter.kill("SIGKILL");
    await until("its end", () => !sleeping(), { seconds: 5 });
    expect(sleeping()).toBe(false);
  });
});
