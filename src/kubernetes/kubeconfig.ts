/**
 * A kubeconfig names clusters, users and contexts (a cluster with a user). Several files are read as one: of two entries
 * with one name the first counts, and relative paths are relative to the file that has them.
 */
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { load, YAMLException } from "js-yaml";
import type { ConnectionSecurity, Credentials } from "./credentials.ts";
import { KubernetesError, messageOf } from "./error.ts";
import { ExecPlugin } from "./exec-plugin.ts";
import { TokenFile } from "./token-file.ts";

type Raw = Readonly<Record<string, unknown>>;
type Environment = Readonly<Record<string, string | undefined>>;

interface Entry {
  readonly body: Raw;
  /** Of the file that has the entry. */
  readonly directory: string;
}

export interface Kubeconfig {
  readonly origin: string;
  readonly currentContext: string;
  readonly clusters: ReadonlyMap<string, Entry>;
  readonly users: ReadonlyMap<string, Entry>;
  readonly contexts: ReadonlyMap<string, Entry>;
}

export async function readKubeconfigs(paths: readonly string[]): Promise<Kubeconfig> {
  const clusters = new Map<string, Entry>();
  const users = new Map<string, Entry>();
  const contexts = new Map<string, Entry>();
  let currentContext = "";
  for (const path of paths) {
    const file = await readYaml(path);
    const directory = dirname(resolve(path));
    collect(file["clusters"], "cluster", directory, clusters);
    collect(file["users"], "user", directory, users);
    collect(file["contexts"], "context", directory, contexts);
    if (currentContext === "") currentContext = textOf(file["current-context"]) ?? "";
  }
  return { origin: paths.join(", "), currentContext, clusters, users, contexts };
}

async function readYaml(path: string): Promise<Raw> {
  try {
    const value = load(await readFile(path, "utf8"));
    if (!isRecord(value)) throw new Error("it is not a kubeconfig");
    return value;
  } catch (error) {
    // The reader's own words, and the error as a cause, repeat lines of the file, and there are tokens in it.
    if (error instanceof YAMLException)
      throw failure(`${path} cannot be read: ${placeOf(error)} is not valid YAML`);
    throw failure(`${path} cannot be read: ${messageOf(error)}`, error);
  }
}

function placeOf({ mark }: YAMLException): string {
  return mark ? `line ${mark.line + 1}, column ${mark.column + 1}` : "it";
}

function collect(list: unknown, field: string, directory: string, into: Map<string, Entry>): void {
  if (!Array.isArray(list)) return;
  for (const item of list) {
    if (!isRecord(item) || typeof item["name"] !== "string" || into.has(item["name"])) continue;
    const body = item[field];
    into.set(item["name"], { body: isRecord(body) ? body : {}, directory });
  }
}

export function credentialsOfKubeconfig(
  config: Kubeconfig,
  contextName = config.currentContext,
  environment: Environment = process.env,
): Credentials {
  const { origin, contexts } = config;
  if (contextName === "") throw failure(`${origin}: current-context is not set; choose a context`);
  const context = contexts.get(contextName)?.body;
  if (!context) {
    const known = [...contexts.keys()].join(", ") || "none";
    throw failure(`${origin}: there is no context "${contextName}"; it has ${known}`);
  }
  const clusterName = textOf(context["cluster"]) ?? "";
  const cluster = config.clusters.get(clusterName);
  if (!cluster) throw failure(`${origin}: context ${contextName}: there is no cluster "${clusterName}"`);
  const userName = textOf(context["user"]);
  const user = userName === undefined ? undefined : config.users.get(userName);
  if (userName !== undefined && !user) {
    throw failure(`${origin}: context ${contextName}: there is no user "${userName}"`);
  }
  const server = serverOf(cluster.body, `${origin}: cluster ${clusterName}`);
  const proxy = proxyOf(cluster.body, `${origin}: cluster ${clusterName}`);
  const identity = identityOf(user ?? { body: {}, directory: "." }, cluster, {
    where: `${origin}: user ${userName ?? ""}`,
    environment,
    server,
  });
  return {
    server,
    ...(proxy && { proxy }),
    namespace: textOf(context["namespace"]) ?? "default",
    tls: async () => ({ ...(await clusterSecurity(cluster)), ...(await identity.tls()) }),
    headers: () => identity.headers(),
    refused: () => identity.refused(),
  };
}

function serverOf(cluster: Raw, where: string): URL {
  const server = textOf(cluster["server"]) ?? "";
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (!url || !["https:", "http:"].includes(url.protocol)) {
    throw failure(`${where}: server "${server}" is not a URL such as https://10.0.0.1:6443`);
  }
  return url;
}

function proxyOf(cluster: Raw, where: string): URL | undefined {
  const text = textOf(cluster["proxy-url"]);
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  if (url?.protocol.startsWith("socks")) {
    throw failure(
      `${where}: proxy-url: SOCKS proxies (${url.protocol}//) are not supported; use an HTTP proxy that takes CONNECT, http://HOST:PORT or https://HOST:PORT`,
    );
  }
  throw failure(`${where}: proxy-url is not a URL such as http://10.0.0.1:3128`);
}

async function clusterSecurity({ body, directory }: Entry): Promise<ConnectionSecurity> {
  const ca = await dataOrFile(body, "certificate-authority", directory);
  const servername = textOf(body["tls-server-name"]);
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(servername === undefined ? {} : { servername }),
    ...(body["insecure-skip-tls-verify"] === true ? { rejectUnauthorized: false } : {}),
  };
}

type Identity = Pick<Credentials, "tls" | "headers" | "refused">;

interface IdentityContext {
  readonly where: string;
  readonly environment: Environment;
  readonly server: URL;
}

function identityOf({ body, directory }: Entry, cluster: Entry, context: IdentityContext): Identity {
  const impersonation = impersonationOf(body);
  const certificates = async (): Promise<ConnectionSecurity> => {
    const cert = await dataOrFile(body, "client-certificate", directory);
    const key = await dataOrFile(body, "client-key", directory);
    return cert === undefined || key === undefined ? {} : { cert, key };
  };
  const authorization = (text: () => Promise<string>, refused: () => void = () => undefined): Identity => ({
    tls: certificates,
    headers: async () => ({ ...impersonation, authorization: await text() }),
    refused,
  });
  const tokenFile = textOf(body["tokenFile"]);
  if (tokenFile !== undefined) {
    const file = new TokenFile(resolve(directory, tokenFile));
    return authorization(
      async () => `Bearer ${await file.token()}`,
      () => file.refused(),
    );
  }
  const token = textOf(body["token"]);
  if (token !== undefined) return authorization(() => Promise.resolve(`Bearer ${token}`));
  const username = textOf(body["username"]);
  if (username !== undefined) {
    const pair = Buffer.from(`${username}:${textOf(body["password"]) ?? ""}`).toString("base64");
    return authorization(() => Promise.resolve(`Basic ${pair}`));
  }
  const exec = body["exec"];
  if (isRecord(exec)) {
    const plugin = new ExecPlugin(exec, {
      directory,
      environment: context.environment,
      where: context.where,
      cluster: async () => ({ server: context.server.href, ...(await describeCluster(cluster)) }),
    });
    return {
      tls: async () => ({ ...(await certificates()), ...(await plugin.certificates()) }),
      headers: async () => {
        const bearer = await plugin.token();
        return { ...impersonation, ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }) };
      },
      refused: () => plugin.refused(),
    };
  }
  if (isRecord(body["auth-provider"])) {
    const name = textOf(body["auth-provider"]["name"]) ?? "";
    throw failure(
      `${context.where}: auth-provider "${name}" was removed from Kubernetes; use the exec plug-in of that cloud`,
    );
  }
  return { tls: certificates, headers: () => Promise.resolve(impersonation), refused: () => undefined };
}

/** What a plug-in that asks for `provideClusterInfo` is told. */
async function describeCluster(cluster: Entry): Promise<Raw> {
  const { ca, servername, rejectUnauthorized } = await clusterSecurity(cluster);
  return {
    ...(ca === undefined ? {} : { "certificate-authority-data": Buffer.from(ca).toString("base64") }),
    ...(servername === undefined ? {} : { "tls-server-name": servername }),
    ...(rejectUnauthorized === false ? { "insecure-skip-tls-verify": true } : {}),
  };
}

function impersonationOf(user: Raw): Readonly<Record<string, string | string[]>> {
  const as = textOf(user["as"]);
  if (as === undefined) return {};
  const headers: Record<string, string | string[]> = { "impersonate-user": as };
  const uid = textOf(user["as-uid"]);
  if (uid !== undefined) headers["impersonate-uid"] = uid;
  const groups = textsOf(user["as-groups"]);
  if (groups.length > 0) headers["impersonate-group"] = groups;
  const extra = user["as-user-extra"];
  if (isRecord(extra)) {
    for (const [name, values] of Object.entries(extra)) {
      headers[`impersonate-extra-${encodeURIComponent(name).toLowerCase()}`] = textsOf(values);
    }
  }
  return headers;
}

/** `<name>-data` is base64 in the file itself, `<name>` a path; the data counts. */
async function dataOrFile(body: Raw, name: string, directory: string): Promise<Buffer | undefined> {
  const data = textOf(body[`${name}-data`]);
  if (data !== undefined) return Buffer.from(data, "base64");
  const path = textOf(body[name]);
  if (path === undefined) return undefined;
  try {
    return await readFile(resolve(directory, path));
  } catch (error) {
    throw failure(`${name} ${path} cannot be read: ${messageOf(error)}`, error);
  }
}

function failure(message: string, cause?: unknown): KubernetesError {
  return new KubernetesError(message, { code: "KUBERNETES_CREDENTIALS", cause });
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function isRecord(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
