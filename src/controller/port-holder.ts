/** Which process holds a TCP port, as far as this user may know. Linux tells by its file system; elsewhere a command does. */
import { readFile, readdir, readlink } from "node:fs/promises";

/** `node (pid 4242)`, or a hint how to find out. */
export async function describePortHolder(port: number): Promise<string> {
  const holder = process.platform === "linux" ? await findHolder(port).catch(() => undefined) : undefined;
  return holder ?? `another program (${findCommand(port)} shows which)`;
}

function findCommand(port: number): string {
  if (process.platform === "win32") return `netstat -ano | findstr :${port}`;
  return process.platform === "linux" ? `ss -lntp 'sport = :${port}'` : `lsof -nP -i tcp:${port}`;
}

async function findHolder(port: number): Promise<string | undefined> {
  const sockets = new Set([
    ...(await listeningSockets("/proc/net/tcp", port)),
    ...(await listeningSockets("/proc/net/tcp6", port)),
  ]);
  if (sockets.size === 0) return undefined;
  for (const pid of await readdir("/proc")) {
    if (!/^[0-9]+$/.test(pid) || !(await holdsAny(pid, sockets))) continue;
    const name = (await readFile(`/proc/${pid}/comm`, "utf8")).trim();
    return `${name} (pid ${pid})`;
  }
  return undefined;
}

/** proc(5): the local address ends in the port as hex digits, state 0A is LISTEN, the tenth column is the inode. */
async function listeningSockets(table: string, port: number): Promise<string[]> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const lines = (await readFile(table, "utf8").catch(() => "")).split("\n").slice(1);
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[1]?.endsWith(suffix) && columns[3] === "0A")
    .map((columns) => `socket:[${columns[9]}]`);
}

async function holdsAny(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  // Other users' processes are closed to us, and some end while we look.
  for (const fd of await readdir(folder).catch(() => [])) {
    if (sockets.has(await readlink(`${folder}/${fd}`).catch(() => ""))) return true;
  }
  return false;
}
