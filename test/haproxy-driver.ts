import { readFileSync, readdirSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import { join } from "node:path";
import type { ApplyReport, ItemState } from "../src/drivers/driver.ts";
import { haproxyDriver, type HaproxyDriver, type HaproxyOptions } from "../src/drivers/haproxy/index.ts";
import type { Listener, Rule, RuleAction, VirtualHost } from "../src/model/index.ts";
import { modelChanges, type ItemsOrRemovals } from "./model-changes.ts";

/** A HAProxy driver with its own folder, and all that it reported. */
export class HaproxyUnderTest {
  readonly driver: HaproxyDriver;
  readonly folder: string;
  readonly reports: ApplyReport[] = [];

  constructor(folder: string, options: HaproxyOptions = {}) {
    this.folder = folder;
    this.driver = haproxyDriver({ ...options, folder, limits: { grace: 500, ...options.limits } });
  }

  async start(): Promise<this> {
    await this.driver.start((reports) => void this.reports.push(...reports));
    return this;
  }

  async apply(items: ItemsOrRemovals): Promise<void> {
    await this.driver.apply(modelChanges(items));
  }

  stateOf(key: string): ItemState | undefined {
    return this.reports.findLast((report) => report.key === key)?.state;
  }

  async until(what: string, holds: () => boolean): Promise<void> {
    const end = Date.now() + 15_000;
    while (!holds()) {
      if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Where the newest process reads its maps from. */
  get mapFolder(): string {
    const [newest] = readdirSync(this.folder)
      .filter((name) => /^g[0-9]+$/.test(name))
      .toSorted((a, b) => Number(b.slice(1)) - Number(a.slice(1)));
    return join(this.folder, newest!);
  }

  /** The configuration of the newest process. */
  get configuration(): string {
    return readFileSync(join(this.mapFolder, "haproxy.cfg"), "utf8");
  }
}

export async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export async function httpListener(change: Partial<Listener> = {}): Promise<Listener> {
  const port = await freePort();
  return {
    key: `shop/web/tcp/${port}`,
    gateway: "shop/web",
    port,
    transport: "tcp",
    protocol: "http",
    addresses: [],
    ...change,
  };
}

export function hostOf({ key }: Listener, hostname: string, rules: readonly Rule[]): VirtualHost {
  return { key: `${key}|${hostname}`, listener: key, hostname, section: "Gateway/shop/web/http", rules };
}

/** A rule that answers by itself: clients are sent to a host of this name. */
export function answering(
  name: string,
  match: Partial<Rule["match"]> = {},
  action: Partial<RuleAction> = {},
): Rule {
  return {
    key: `HTTPRoute/shop/${name}/0/0`,
    match: { path: { type: "prefix", value: "/" }, headers: [], queryParams: [], ...match },
    action: {
      route: { kind: "HTTPRoute", namespace: "shop", name, rule: 0 },
      protocol: "http",
      mirrors: [],
      backends: [],
      timeouts: {},
      redirect: { hostname: name, port: 80, statusCode: 302 },
      ...action,
    },
  };
}

/** Status and Location of one request. */
export function get(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{
  readonly status: number;
  readonly location: string | undefined;
  readonly headers: http.IncomingHttpHeaders;
}> {
  return new Promise((resolve, reject) => {
    const call = http.get(
      { host: "127.0.0.1", port, path, headers: { host: "a.test", ...headers }, agent: false },
      (answer) => {
        answer.resume();
        answer.on("end", () =>
          resolve({ status: answer.statusCode!, location: answer.headers.location, headers: answer.headers }),
        );
      },
    );
    call.on("error", reject);
  });
}
