// moto: AWS's APIs on this machine. https://docs.getmoto.org

import { spawn } from "node:child_process";
import { once } from "node:events";

export interface Moto {
  readonly endpoint: string;
  stop(): Promise<void>;
}

const patience = 60_000;

/** `folder`: where it and what it needs is installed. */
export async function startMoto(folder: string): Promise<Moto> {
  const child = spawn("python3", ["-m", "moto.server", "-H", "127.0.0.1", "-p", "0"], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env["PATH"], PYTHONPATH: folder, HOME: "/nonexistent", PYTHONUNBUFFERED: "1" },
  });
  let said = "";
  const endpoint = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`moto does not start: ${said}`)), patience);
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const [url] = /http:\/\/127[.]0[.]0[.]1:\d+/.exec(said) ?? [];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
    child.once("exit", () => reject(new Error(`moto has ended: ${said}`)));
  });
  return {
    endpoint,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill();
      await ended;
    },
  };
}

/** What the SDK has no client for here: the ids of the subnets that every account has. */
export async function listSubnets({ endpoint }: Moto, region: string): Promise<readonly string[]> {
  const answer = await fetch(endpoint, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      authorization: `AWS4-HMAC-SHA256 Credential=test/20260101/${region}/ec2/aws4_request, SignedHeaders=host, Signature=0`,
    },
    body: "Action=DescribeSubnets&Version=2016-11-15",
  });
  return [...(await answer.text()).matchAll(/<subnetId>([^<]+)<\/subnetId>/g)].map(([, id]) => id ?? "");
}
