/*
 * Certificate, key and authorities change at once or not at all: they lie in a folder of their own behind a link, and the link is
 * replaced. That is how Kubernetes shows a Secret to a Pod, and what Envoy watches for.
 */
import { mkdir, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ChannelCertificate } from "../../channel/index.ts";

const link = "..data";

export async function writeCertificate(folder: string, certificate: ChannelCertificate): Promise<void> {
  const files = {
    "ca.crt": certificate.authorities,
    "tls.key": certificate.key,
    "tls.crt": certificate.certificate,
  };
  const fresh = `..${Date.now()}-${Math.random().toString(36).slice(2)}`;
  await mkdir(join(folder, fresh), { recursive: true, mode: 0o700 });
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder, fresh, name), content, { mode: 0o600 });
  }
  await symlink(fresh, join(folder, `${fresh}.link`));
  await rename(join(folder, `${fresh}.link`), join(folder, link));
  const present = await readdir(folder);
  for (const name of Object.keys(files)) {
    if (!present.includes(name)) await symlink(join(link, name), join(folder, name));
  }
  for (const name of present) {
    if (name.startsWith("..") && name !== fresh && name !== link)
      await rm(join(folder, name), { recursive: true, force: true });
  }
}
