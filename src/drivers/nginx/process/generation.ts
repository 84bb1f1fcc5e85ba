/* Asks an NGINX over its own socket: which configuration its workers have, and how many connections there are. */
import http from "node:http";

export async function readGeneration(sockets: string): Promise<number | undefined> {
  const text = await ask(`${sockets}/status`, "/generation");
  return text === undefined ? undefined : Number(text);
}

export interface Connections {
  readonly active: number;
  readonly accepted: number;
  readonly requests: number;
}

export async function readConnections(sockets: string): Promise<Connections | undefined> {
  const text = await ask(`${sockets}/status`, "/connections");
  const active = /Active connections: ([0-9]+)/.exec(text ?? "");
  const totals = /^ ([0-9]+) ([0-9]+) ([0-9]+)/m.exec(text ?? "");
  if (!active || !totals) return undefined;
  return { active: Number(active[1]), accepted: Number(totals[1]), requests: Number(totals[3]) };
}

function ask(socketPath: string, path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const request = http.get({ socketPath, path, agent: false, timeout: 2_000 }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve(response.statusCode === 200 ? text : undefined));
      response.on("error", () => resolve(undefined));
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(undefined));
  });
}
