/*
 * Connections from clients, as the system knows them: NGINX counts those within itself as well, of which a request has several.
 */
import { readFile } from "node:fs/promises";

const established = "01";
const leftByClient = "08";

/** Open TCP connections to these ports of this machine. */
export async function countConnections(ports: ReadonlySet<number | undefined>): Promise<number> {
  const tables = await Promise.all(
    ["/proc/net/tcp", "/proc/net/tcp6"].map((path) => readFile(path, "utf8").catch(() => "")),
  );
  let count = 0;
  for (const line of tables.join("\n").split("\n")) {
    const [, local = "", , state = ""] = line.trim().split(/\s+/);
    const port = Number.parseInt(local.slice(local.lastIndexOf(":") + 1), 16);
    if ((state === established || state === leftByClient) && ports.has(port)) count++;
  }
  return count;
}
