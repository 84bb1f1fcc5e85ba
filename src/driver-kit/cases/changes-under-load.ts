/*
 * Changes that nobody notices: clients keep asking, over connections that stay open, while what they do not depend on, and
 * what they do depend on in ways that must not show, changes again and again.
 */
import assert from "node:assert/strict";
import http from "node:http";
import https from "node:https";
import { makeCa, makeCertificate } from "../certificates.ts";
import { casesOf } from "../contract-case.ts";
import { endpointsItem, rule, serverNameItem, to, virtualHostItem } from "../items.ts";
import type { Plane } from "../plane.ts";
import { pause } from "../traffic/deadline.ts";
import { requestHttp1, type ClientRequest } from "../traffic/http-client.ts";
import { startHttpBackend } from "../traffic/http-backend.ts";

const test = casesOf("changes under load");

/** Clients that ask in a loop until told to stop; anything but 200 is a failure. */
class Load {
  requests = 0;
  readonly failures: string[] = [];
  readonly #loops: Promise<void>[] = [];
  #isOver = false;

  add(at: Parameters<typeof requestHttp1>[0], request: ClientRequest): void {
    this.#loops.push(this.#loop(at, request));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#loops);
  }

  async #loop(at: Parameters<typeof requestHttp1>[0], request: ClientRequest): Promise<void> {
    while (!this.#isOver) {
      this.requests++;
      try {
        const { status } = await requestHttp1(at, request);
        if (status !== 200) this.failures.push(`${request.host}: status ${status}`);
      } catch (error) {
        this.failures.push(`${request.host}: ${String(error)}`);
      }
      await pause(1);
    }
  }
}

/** With fewer requests nothing is shown. */
const fewest = 20;

async function underLoad(
  plane: Plane,
  start: (load: Load) => void,
  change: () => Promise<void>,
): Promise<void> {
  const load = new Load();
  plane.atEnd(() => load.stop());
  start(load);
  await pause(50);
  await change();
  await pause(50);
  // A slow machine may have managed only a few by now.
  for (const deadline = performance.now() + 10_000; load.requests <= fewest && performance.now() < deadline;)
    await pause(10);
  await load.stop();
  assert.deepEqual(
    load.failures.slice(0, 5),
    [],
    `${load.failures.length} of ${load.requests} requests failed`,
  );
  assert.ok(load.requests > fewest, `only ${load.requests} requests`);
}

export const changesUnderLoadCases = [
  test(
    "no request is lost during 200 changes of hosts, endpoints and certificates",
    "Gateway",
    async (plane) => {
      const ca = await makeCa();
      const [one, two, other] = [await plane.http("one"), await plane.http("two"), await plane.http("other")];
      const key = "Secret/kit/a";
      const certificates = await Promise.all(
        [1, 2, 3].map(async (number) => ({
          key,
          ...(await makeCertificate({ names: ["a.test"], commonName: `number ${number}`, ca })),
        })),
      );
      const [plain, secure] = [await plane.listener("http"), await plane.listener("tls")];
      const hosts = (to: typeof one) => [
        virtualHostItem(plain, "a.test", [rule("/", to)]),
        virtualHostItem(secure, "a.test", [rule("/", to)]),
      ];
      await plane.apply({
        ...plane.backends,
        certificates: [certificates[0]!],
        listeners: [plain, secure],
        serverNames: [serverNameItem(secure, "a.test", { type: "http", certificates: [key] })],
        virtualHosts: hosts(one),
      });
      const tls = { ca: ca.certificate, servername: "a.test" };
      const agents = [
        new http.Agent({ keepAlive: true, maxSockets: 2 }),
        new https.Agent({ keepAlive: true, maxSockets: 2 }),
      ] as const;
      plane.atEnd(() => agents.forEach((agent) => agent.destroy()));
      const changes: ((turn: number) => Parameters<Plane["apply"]>[0])[] = [
        (turn) => ({ virtualHosts: hosts(turn % 2 === 0 ? one : two) }),
        (turn) => ({
          endpoints: [
            endpointsItem(one.backend, ...(turn % 3 === 0 ? [one.port] : [one.port, two.port])),
            endpointsItem(two.backend, ...(turn % 3 === 1 ? [two.port] : [two.port, one.port])),
          ],
        }),
        (turn) => ({ certificates: [certificates[turn % 3]!] }),
        (turn) => ({ virtualHosts: [virtualHostItem(plain, `${turn}.test`, [rule("/", other)])] }),
        (turn) => ({ virtualHosts: [`${plain.key}|${turn - 1}.test`] }),
      ];
      await underLoad(
        plane,
        (load) => {
          for (const agent of [agents[0], agents[0], undefined]) {
            load.add(plane.at(plain), { host: "a.test", ...(agent ? { agent } : {}) });
          }
          for (const agent of [agents[1], agents[1], undefined]) {
            load.add(plane.at(secure), { host: "a.test", tls, ...(agent ? { agent } : {}) });
          }
        },
        async () => {
          for (let turn = 0; turn < 200; turn++) await plane.apply(changes[turn % changes.length]!(turn));
        },
      );
    },
  ),

  test("an endpoint that leaves takes no request with it", "HTTPRoute", async (plane) => {
    const web = await plane.http("web", { answer: () => ({ delay: 5 }) });
    const { at } = await plane.serve([rule("/", web)]);
    const agent = new http.Agent({ keepAlive: true });
    plane.atEnd(() => agent.destroy());
    await underLoad(
      plane,
      (load) => {
        for (let client = 0; client < 6; client++) load.add(at, { host: "a.test", agent });
      },
      async () => {
        for (let turn = 0; turn < 10; turn++) {
          const extra = await startHttpBackend({ name: `extra-${turn}`, answer: () => ({ delay: 5 }) });
          await plane.apply({ endpoints: [endpointsItem(web.backend, web.port, extra.port)] });
          await pause(30);
          await plane.apply({ endpoints: [endpointsItem(web.backend, web.port)] });
          // What was sent before the endpoint left is answered; nothing new comes.
          await pause(100);
          await extra.stop();
        }
      },
    );
  }),

  test("other listeners come and go unnoticed", "HTTPRoute", async (plane) => {
    const web = await plane.http("web");
    const { at } = await plane.serve([rule("/", web)]);
    const agent = new http.Agent({ keepAlive: true });
    plane.atEnd(() => agent.destroy());
    await underLoad(
      plane,
      (load) => {
        for (let client = 0; client < 4; client++) load.add(at, { host: "a.test", agent });
      },
      async () => {
        for (let turn = 0; turn < 10; turn++) {
          const listener = await plane.listener("http");
          const rules = [rule("/", { backends: [to(web)] })];
          await plane.apply({ listeners: [listener], virtualHosts: [virtualHostItem(listener, "*", rules)] });
          assert.equal((await plane.site(listener).get("/")).from, "web");
          await plane.apply({ listeners: [listener.key], virtualHosts: [`${listener.key}|*`] });
        }
      },
    );
  }),

  test("requests under way are finished on the rules they began with", "HTTPRoute", async (plane) => {
    const slow = await plane.http("slow", {
      answer: () => ({ pieces: Array.from({ length: 6 }, () => ({ after: 100, data: "piece " })) }),
    });
    const other = await plane.http("other");
    const { get, listener } = await plane.serve([rule("/", slow)]);
    const underWay = Array.from({ length: 5 }, () => get("/"));
    await pause(150);
    await plane.apply({ virtualHosts: [virtualHostItem(listener, "*", [rule("/", other)])] });
    await plane.apply({ backends: [slow.backend.key], endpoints: [slow.backend.key] });
    assert.equal((await get("/")).from, "other");
    for (const answer of await Promise.all(underWay)) assert.equal(answer.body, "piece ".repeat(6));
  }),

  test("requests under way are finished when their listener goes", "HTTPRoute", async (plane) => {
    const slow = await plane.http("slow", { answer: () => ({ delay: 600 }) });
    const { get, listener } = await plane.serve([rule("/", slow)]);
    const underWay = get("/");
    await pause(150);
    await plane.apply({ listeners: [listener.key], virtualHosts: [`${listener.key}|*`] });
    assert.equal((await underWay).from, "slow");
  }),
];
