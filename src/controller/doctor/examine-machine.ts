/** What this machine has of what Gatewright can use. Nothing is changed by looking. */
import { execFile } from "node:child_process";
import { findOnPath } from "../../drivers/find-on-path.ts";
import { findEnvoy } from "../../infrastructure/host/find-program.ts";

export interface MachinePart {
  readonly name: string;
  readonly isThere: boolean;
  readonly version?: string;
  /** Where it is: a path, or a server. */
  readonly place?: string;
  /** What it is for, or what is wrong with it. */
  readonly remark: string;
}

export interface ExamineOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** How long a part may take to answer, ms. */
  readonly patience?: number;
}

/** Node, then the proxies, then the way to a cluster. */
export async function examineMachine({ env = process.env, patience = 5_000 }: ExamineOptions = {}): Promise<
  readonly MachinePart[]
> {
  const proxies = [
    { name: "envoy", find: () => findEnvoy({ env }), ask: "--version", pattern: /\/(\d+\.\d+\.\d+\S*?)\// },
    { name: "nginx", find: () => findOnPath("nginx", { env }), ask: "-v", pattern: /nginx\/(\S+)/ },
    { name: "haproxy", find: () => findOnPath("haproxy", { env }), ask: "-v", pattern: /version (\S+)/ },
  ];
  const others = await Promise.all([
    ...proxies.map(async ({ name, find, ask, pattern }) => {
      const place = await find();
      return examineProgram({ name, place, ask: [ask], pattern, remark: `for --driver ${name}`, patience });
    }),
    examineProgram({
      name: "kubectl",
      place: await findOnPath("kubectl", { env }),
      ask: ["version", "--client"],
      pattern: /Client Version: v?(\S+)/,
      remark: "not needed; handy beside a cluster",
      patience,
    }),
    examineCluster(patience),
  ]);
  return [examineNode(), ...others];
}

function examineNode(): MachinePart {
  const { version, execPath } = process;
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const isThere = major > 20 || (major === 20 && minor >= 19);
  const remark = isThere ? "20.19 or newer is needed" : "too old: 20.19 or newer is needed";
  return { name: "node", isThere, version: version.slice(1), place: execPath, remark };
}

interface Program {
  readonly name: string;
  readonly place: string | undefined;
  readonly ask: readonly string[];
  readonly pattern: RegExp;
  readonly remark: string;
  readonly patience: number;
}

async function examineProgram({
  name,
  place,
  ask,
  pattern,
  remark,
  patience,
}: Program): Promise<MachinePart> {
  if (place === undefined) return { name, isThere: false, remark: `not found; ${remark}` };
  const { output, trouble } = await run(place, ask, patience);
  if (trouble !== undefined) return { name, isThere: false, place, remark: `does not run: ${trouble}` };
  const version = pattern.exec(output)?.[1];
  return { name, isThere: true, place, ...(version !== undefined && { version }), remark };
}

function run(
  command: string,
  args: readonly string[],
  timeout: number,
): Promise<{ readonly output: string; readonly trouble?: string }> {
  return new Promise((resolve) => {
    execFile(command, args, { timeout, encoding: "utf8" }, (error, stdout, stderr) => {
      const output = `${stdout}\n${stderr}`;
      if (!error) return resolve({ output });
      const [line = error.message] = stderr.split("\n").filter(Boolean);
      resolve({ output, trouble: error.killed ? `no answer within ${timeout / 1000} s` : line });
    });
  });
}

const namespaces = { group: "", version: "v1", plural: "namespaces", kind: "Namespace", namespaced: false };

/** By the credentials that `gatewright controller` would use. */
async function examineCluster(patience: number): Promise<MachinePart> {
  const name = "cluster";
  const remark = "for gatewright controller";
  const { kubernetesClient, KubernetesError, loadCredentials } = await import("../../kubernetes/index.ts");
  let client: ReturnType<typeof kubernetesClient> | undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    const credentials = await loadCredentials({});
    client = kubernetesClient({ credentials, userAgent: "gatewright/doctor", fieldManager: "gatewright" });
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${patience / 1000} s`)), patience);
    });
    await Promise.race([client.get(namespaces, "default"), late]);
    return { name, isThere: true, remark };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Who is turned away has been answered.
    if (error instanceof KubernetesError && (error.status === 401 || error.status === 403)) {
      return { name, isThere: error.status === 403, remark: `answers, but: ${message}` };
    }
    return { name, isThere: false, remark: `not reached: ${message}` };
  } finally {
    clearTimeout(timer);
    await client?.close();
  }
}
