/** The account that Kubernetes gives a Pod. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Credentials } from "./credentials.ts";
import { KubernetesError, messageOf } from "./error.ts";
import { TokenFile } from "./token-file.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export function isInPod(environment: Environment): boolean {
  return Boolean(environment["KUBERNETES_SERVICE_HOST"]);
}

export async function credentialsOfPod(
  environment: Environment,
  directory = "/var/run/secrets/kubernetes.io/serviceaccount",
): Promise<Credentials> {
  const host = environment["KUBERNETES_SERVICE_HOST"] ?? "";
  const port = environment["KUBERNETES_SERVICE_PORT"] || "443";
  const tokenPath = join(directory, "token");
  if (!existsSync(tokenPath)) {
    throw new KubernetesError(
      `This is a Pod, but it has no token at ${tokenPath}: its ServiceAccount or its spec says automountServiceAccountToken: false`,
      { code: "KUBERNETES_CREDENTIALS" },
    );
  }
  const token = new TokenFile(tokenPath);
  await token.token();
  return {
    server: new URL(`https://${host.includes(":") ? `[${host}]` : host}:${port}`),
    namespace: (await readText(join(directory, "namespace")).catch(() => "default")).trim() || "default",
    tls: async () => ({ ca: await readText(join(directory, "ca.crt")) }),
    headers: async () => ({ authorization: `Bearer ${await token.token()}` }),
    refused: () => token.refused(),
  };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new KubernetesError(`${path} cannot be read: ${messageOf(error)}`, {
      code: "KUBERNETES_CREDENTIALS",
      cause: error,
    });
  }
}
