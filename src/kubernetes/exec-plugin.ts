/**
 * A program that says who we are (aws, gke-gcloud-auth-plugin, kubelogin): Kubernetes' `client.authentication.k8s.io`.
 * It is run when its last answer is about to end, or was refused; never twice at once.
 */
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import type { ConnectionSecurity } from "./credentials.ts";
import { KubernetesError, messageOf } from "./error.ts";

type Raw = Readonly<Record<string, unknown>>;

interface Surroundings {
  /** Of the kubeconfig. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For messages. */
  readonly where: string;
  /** What the plug-in is told of the cluster, if it wants to know. */
  readonly cluster: () => Promise<Raw>;
}

interface Answer {
  readonly token: string | undefined;
  readonly certificates: ConnectionSecurity;
  /** ms since the epoch. */
  readonly expires: number;
}

const longestRun = 60_000;
/** So that what is sent now is still good when it arrives. */
const earlier = 30_000;

export class ExecPlugin {
  readonly #settings: Raw;
  readonly #around: Surroundings;
  #answer: Answer | undefined;
  #running: Promise<Answer> | undefined;

  constructor(settings: Raw, around: Surroundings) {
    this.#settings = settings;
    this.#around = around;
  }

  async token(): Promise<string | undefined> {
    return (await this.#current()).token;
  }

  async certificates(): Promise<ConnectionSecurity> {
    return (await this.#current()).certificates;
  }

  refused(): void {
    this.#answer = undefined;
  }

  #current(): Promise<Answer> {
    if (this.#answer && Date.now() < this.#answer.expires - earlier) return Promise.resolve(this.#answer);
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<Answer> {
    const { command, args, apiVersion, installHint, provideClusterInfo } = this.#settings;
    if (typeof command !== "string" || command === "") throw this.#failure("exec.command is missing");
    const cluster = provideClusterInfo === true ? { cluster: await this.#around.cluster() } : {};
    const info = { apiVersion, kind: "ExecCredential", spec: { interactive: false, ...cluster } };
    const program = /[\\/]/.test(command) ? resolve(this.#around.directory, command) : command;
    const output = await runProgram(program, Array.isArray(args) ? args.map(String) : [], {
      ...this.#around.environment,
      ...this.#variables(),
      KUBERNETES_EXEC_INFO: JSON.stringify(info),
    }).catch((error: unknown) => {
      const isMissing = (error as { code?: unknown }).code === "ENOENT";
      const hint = isMissing && typeof installHint === "string" ? `\n${installHint}` : "";
      throw this.#failure(`${command}: ${messageOf(error)}${hint}`, error);
    });
    this.#answer = this.#read(command, output);
    return this.#answer;
  }

  #variables(): Record<string, string> {
    const { env } = this.#settings;
    const variables: Record<string, string> = {};
    if (!Array.isArray(env)) return variables;
    for (const { name, value } of env as { name?: unknown; value?: string }[]) {
      if (typeof name === "string") variables[name] = value ?? "";
    }
    return variables;
  }

  #read(command: string, output: string): Answer {
    let status: Raw | undefined;
    try {
      status = (JSON.parse(output) as { status?: Raw } | null)?.status;
    } catch {
      // Without the cause, which repeats the beginning of the answer.
      throw this.#failure(`${command}: its answer is not JSON`);
    }
    const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = status ?? {};
    const hasCertificate = typeof cert === "string" && typeof key === "string";
    if (typeof token !== "string" && !hasCertificate) {
      throw this.#failure(`${command}: its answer has neither a token nor a certificate with its key`);
    }
    const expires = typeof expirationTimestamp === "string" ? Date.parse(expirationTimestamp) : Number.NaN;
    return {
      token: typeof token === "string" ? token : undefined,
      certificates: hasCertificate ? { cert, key } : {},
      expires: Number.isNaN(expires) ? Number.POSITIVE_INFINITY : expires,
    };
  }

  #failure(message: string, cause?: unknown): KubernetesError {
    return new KubernetesError(`${this.#around.where}: ${message}`, {
      code: "KUBERNETES_CREDENTIALS",
      cause,
    });
  }
}

function runProgram(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolvePromise, reject) => {
    const options = { env, timeout: longestRun, maxBuffer: 4 << 20, windowsHide: true };
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (!error) resolvePromise(stdout);
      else if (stderr.trim() !== "") reject(Object.assign(new Error(stderr.trim()), { code: error.code }));
      else reject(error);
    });
    child.stdin?.end();
  });
}
