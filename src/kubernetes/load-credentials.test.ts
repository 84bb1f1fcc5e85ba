import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { until } from "../../test/kubernetes/api-server.ts";
import { configMaps } from "../../test/kubernetes/resource-types.ts";
import { clientOf, startServer } from "../../test/kubernetes/start.ts";
import { KubernetesError } from "./error.ts";
import { loadCredentials, type CredentialsOptions } from "./load-credentials.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "credentials-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const at = (name: string) => join(folder, name);

function write(name: string, content: unknown): string {
  writeFileSync(at(name), typeof content === "string" ? content : JSON.stringify(content));
  return at(name);
}

function kubeconfig(user: object, cluster: object = {}, more: object = {}): string {
  return write("config", {
    "current-context": "here",
    contexts: [{ name: "here", context: { cluster: "c", user: "u", namespace: "shop" } }],
    clusters: [{ name: "c", cluster: { server: "https://10.0.0.1:6443", ...cluster } }],
    users: [{ name: "u", user }],
    ...more,
  });
}

const base64 = (text: string) => Buffer.from(text).toString("base64");

async function messageOf(options: CredentialsOptions): Promise<string> {
  const error = await loadCredentials(options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(KubernetesError);
  expect((error as KubernetesError).code).toBe("KUBERNETES_CREDENTIALS");
  return (error as KubernetesError).message;
}

describe("a kubeconfig", () => {
  it("with certificates, in the file or beside it", async () => {
    write("client.key", "the key");
    const credentials = await loadCredentials({
      kubeconfig: kubeconfig(
        { "client-certificate-data": base64("the certificate"), "client-key": "client.key" },
        { "certificate-authority-data": base64("the authority"), "tls-server-name": "kubernetes" },
      ),
    });
    expect(credentials.server.href).toBe("https://10.0.0.1:6443/");
    expect(credentials.namespace).toBe("shop");
    const { ca, cert, key, servername } = await credentials.tls();
    expect([ca, cert, key].map(String)).toEqual(["the authority", "the certificate", "the key"]);
    expect(servername).toBe("kubernetes");
    expect(await credentials.headers()).toEqual({});
    write("client.key", "another key");
    expect(String((await credentials.tls()).key)).toBe("another key");
  });

  it.each([
    [{ token: "t" }, { authorization: "Bearer t" }],
    [{ username: "a", password: "b" }, { authorization: `Basic ${base64("a:b")}` }],
    [
      { token: "t", as: "jane", "as-groups": ["dev"], "as-user-extra": { reason: ["test"] } },
      {
        authorization: "Bearer t",
        "impersonate-user": "jane",
        "impersonate-group": ["dev"],
        "impersonate-extra-reason": ["test"],
      },
    ],
  ])("with %j", async (user, headers) => {
    const credentials = await loadCredentials({ kubeconfig: kubeconfig(user) });
    expect(await credentials.headers()).toEqual(headers);
  });

  it("that trusts everybody, if it says so", async () => {
    const trusting = await loadCredentials({
      kubeconfig: kubeconfig({}, { "insecure-skip-tls-verify": true }),
    });
    expect(await trusting.tls()).toEqual({ rejectUnauthorized: false });
    const usual = await loadCredentials({ kubeconfig: kubeconfig({}) });
    expect(await usual.tls()).toEqual({});
  });

  it("with a token in a file that is renewed", async () => {
    write("token", "first\n");
    const credentials = await loadCredentials({ kubeconfig: kubeconfig({ tokenFile: "token" }) });
    expect(await credentials.headers()).toEqual({ authorization: "Bearer first" });
    write("token", "second\n");
    credentials.refused();
    expect(await credentials.headers()).toEqual({ authorization: "Bearer second" });
    rmSync(at("token"));
    credentials.refused();
    expect(await credentials.headers()).toEqual({ authorization: "Bearer second" });
  });

  it("with a program, which is run again when its answer ends or is refused", async () => {
    const program = write(
      "plugin.mjs",
      `import { appendFileSync, readFileSync } from "node:fs";
       appendFileSync(process.env.LOG, "x");
       const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
       const runs = readFileSync(process.env.LOG, "utf8").length;
       console.log(JSON.stringify({ apiVersion: info.apiVersion, kind: "ExecCredential", status: {
         token: process.argv[2] + runs + info.spec.cluster.server,
         expirationTimestamp: new Date(Date.now() + (runs === 1 ? 10_000 : 3_600_000)).toISOString() } }));`,
    );
    const credentials = await loadCredentials({
      kubeconfig: kubeconfig({
        exec: {
          apiVersion: "client.authentication.k8s.io/v1",
          command: process.execPath,
          args: [program, "run-"],
          env: [{ name: "LOG", value: at("log") }],
          provideClusterInfo: true,
        },
      }),
    });
    const token = async () => (await credentials.headers())["authorization"];
    const [one, same] = await Promise.all([token(), token()]);
    expect(one).toBe("Bearer run-1https://10.0.0.1:6443/");
    expect(same).toBe(one);
    // The first ends in ten seconds, which is too soon to be used.
    expect(await token()).toContain("run-2");
    expect(await token()).toContain("run-2");
    credentials.refused();
    expect(await token()).toContain("run-3");
  });

  it("with a program that is not there says how to get it", async () => {
    const credentials = await loadCredentials({
      kubeconfig: kubeconfig({ exec: { command: "no-such-program", installHint: "Install it with: pip" } }),
    });
    await expect(credentials.headers()).rejects.toThrow(
      /user u: no-such-program: .*ENOENT\nInstall it with: pip/,
    );
  });

  it("in several files is one", async () => {
    const first = write("a", {
      "current-context": "x",
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    });
    const second = write("b", {
      "current-context": "y",
      clusters: [{ name: "c", cluster: { server: "http://127.0.0.1:8001/prefix" } }],
      users: [{ name: "u", user: { token: "t" } }],
    });
    const environment = { KUBECONFIG: `${first}:${at("missing")}:${second}` };
    const { server, namespace } = await loadCredentials({ environment });
    expect(server.href).toBe("http://127.0.0.1:8001/prefix");
    expect(namespace).toBe("default");
  });

  it.each([
    ["another context", {}, { context: "there" }, 'there is no context "there"; it has here'],
    ["no cluster", { clusters: [] }, {}, 'context here: there is no cluster "c"'],
    ["no user", { users: [] }, {}, 'context here: there is no user "u"'],
    ["no context chosen", { "current-context": "" }, {}, "current-context is not set"],
    [
      "no server",
      { clusters: [{ name: "c", cluster: { server: "10.0.0.1" } }] },
      {},
      'server "10.0.0.1" is not a URL',
    ],
    [
      "an old provider",
      { users: [{ name: "u", user: { "auth-provider": { name: "gcp" } } }] },
      {},
      'auth-provider "gcp" was removed',
    ],
  ])("with %s says what is wrong", async (_name, more, options, message) => {
    expect(await messageOf({ kubeconfig: kubeconfig({}, {}, more), ...options })).toContain(message);
  });

  it.each([
    ["is not there", undefined, "cannot be read: ENOENT"],
    ["is not YAML", "{", "cannot be read"],
    [
      "has a token where it is no YAML",
      "users:\n- name: u\n  user: {token: *hunter2}\n",
      "cannot be read: line 3, column",
    ],
    ["is something else", "[1]", "cannot be read: it is not a kubeconfig"],
  ])("that %s is named", async (_name, text, message) => {
    if (text !== undefined) write("config", text);
    const said = await messageOf({ kubeconfig: at("config") });
    expect(said).toContain(`${at("config")} ${message}`);
    expect(said).not.toContain("hunter2");
  });
});

describe("a Pod", () => {
  const environment = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" };

  it("uses its own account", async () => {
    write("token", "pod-token");
    write("ca.crt", "the authority");
    write("namespace", "gatewright-system\n");
    const credentials = await loadCredentials({ environment, serviceAccountDirectory: folder });
    expect(credentials.server.href).toBe("https://[fd00::1]/");
    expect(credentials.namespace).toBe("gatewright-system");
    expect(await credentials.tls()).toEqual({ ca: "the authority" });
    expect(await credentials.headers()).toEqual({ authorization: "Bearer pod-token" });
  });

  it("without a token says why", async () => {
    const message = await messageOf({ environment, serviceAccountDirectory: folder });
    expect(message).toContain("automountServiceAccountToken: false");
  });

  it("goes on with the new token when the old one ends", async () => {
    const server = await startServer([configMaps]);
    write("token", "old");
    write("ca.crt", server.ca);
    const { hostname, port } = new URL(server.url);
    const credentials = await loadCredentials({
      environment: { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port },
      serviceAccountDirectory: folder,
    });
    const client = clientOf(server, { credentials });
    server.tokens = new Set(["old"]);
    await client.list(configMaps);
    write("token", "new");
    server.tokens = new Set(["new"]);
    await client.list(configMaps);
    await until(() => server.requests.length === 3);
    expect(server.requests.map(({ headers }) => headers["authorization"])).toEqual([
      "Bearer old",
      "Bearer old",
      "Bearer new",
    ]);
    server.tokens = new Set(["another"]);
    await expect(client.list(configMaps)).rejects.toMatchObject({ isUnauthorized: true });
  });
});

describe("nothing", () => {
  it("says what was looked for", async () => {
    const message = await messageOf({ environment: { HOME: folder } });
    expect(message).toContain(`there is no ${at(".kube/config")}`);
  });
});
