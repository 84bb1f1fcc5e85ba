/** What a proxy shows on the channel, as a Secret's volume has it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { EnvironmentError } from "./environment-error.ts";

export interface ChannelFiles {
  readonly certificate: string;
  readonly key: string;
  readonly authorities: string;
}

const names = { certificate: "tls.crt", key: "tls.key", authorities: "ca.crt" } as const;

/** Read anew each time: they are replaced every half day. Rejects with an `EnvironmentError` that names the file. */
export async function readChannelFiles(folder: string): Promise<ChannelFiles> {
  const [certificate, key, authorities] = await Promise.all(
    [names.certificate, names.key, names.authorities].map((name) => readText(join(folder, name))),
  );
  return { certificate: certificate!, key: key!, authorities: authorities! };
}

/** What all proxies of a Gateway seal sessions with; undefined: none was given, and each has its own. */
export async function readSessionKey(folder: string): Promise<Buffer | undefined> {
  try {
    const key = await readFile(join(folder, "session.key"));
    return key.length >= 32 ? key : undefined;
  } catch {
    return undefined;
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new EnvironmentError(
      "GATEWRIGHT_CERTIFICATE_UNREADABLE",
      `${path} cannot be read (${(cause as NodeJS.ErrnoException).code ?? String(cause)}); give the folder with tls.crt, tls.key and ca.crt by --certificates`,
      { cause },
    );
  }
}
