/** A token of the Pod's service account, which the kubelet renews in its file. */
import { readFile } from "node:fs/promises";
import { DnsError } from "../provider.ts";

/** `key`: of the Secret, that names the file. */
export async function readTokenFile(path: string, key: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unreadable";
    throw new DnsError(`${path}, which ${key} of the Secret of credentials names: ${code}`, {
      isDenied: true,
    });
  }
}
