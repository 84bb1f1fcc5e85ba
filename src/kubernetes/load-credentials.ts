import { join } from "node:path";
import { homedir } from "node:os";
import { existsSync } from "node:fs";
import type { Credentials } from "./credentials.ts";
import { KubernetesError } from "./error.ts";
import { credentialsOfPod, isInPod } from "./in-cluster.ts";
import { credentialsOfKubeconfig, readKubeconfigs } from "./kubeconfig.ts";

export interface CredentialsOptions {
  /** A kubeconfig file. Absent: those in KUBECONFIG, else the Pod's own account, else ~/.kube/config. */
  readonly kubeconfig?: string;
  /** Of the kubeconfig; absent: its current one. */
  readonly context?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Where the Pod's account is mounted. */
  readonly serviceAccountDirectory?: string;
}

/** Finds out who we are and where the API server is. Throws `KUBERNETES_CREDENTIALS` with what is missing. */
export async function loadCredentials(options: CredentialsOptions = {}): Promise<Credentials> {
  const { kubeconfig, context, environment = process.env, serviceAccountDirectory } = options;
  if (kubeconfig !== undefined) return fromFiles([kubeconfig], context, environment);
  const named = (environment["KUBECONFIG"] ?? "").split(process.platform === "win32" ? ";" : ":");
  const existing = named.filter((path) => path !== "" && existsSync(path));
  if (existing.length > 0) return fromFiles(existing, context, environment);
  if (isInPod(environment)) {
    return credentialsOfPod(environment, serviceAccountDirectory);
  }
  const own = join(environment["HOME"] ?? homedir(), ".kube", "config");
  if (existsSync(own)) return fromFiles([own], context, environment);
  throw new KubernetesError(
    `No way to an API server: no kubeconfig was given, KUBECONFIG names no file that exists, this is not a Pod (KUBERNETES_SERVICE_HOST is not set), and there is no ${own}`,
    { code: "KUBERNETES_CREDENTIALS" },
  );
}

async function fromFiles(
  paths: readonly string[],
  context: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Credentials> {
  return credentialsOfKubeconfig(await readKubeconfigs(paths), context, environment);
}
