/*
 * 5.17: the same objects and the same requests give the same answers, whichever proxy serves them. Objects and requests are random, from a
 * seed: the same one each time, so that a run says something about a change. `GATEWRIGHT_SEED=<number>` takes others, `GATEWRIGHT_WORLDS=<number>` more
 * of them: world n of a seed is world 0 of the seed n higher.
 */
import { describe, expect, it, onTestFinished, type TestContext } from "vitest";
import { compare, modelOf, planesFor } from "../differential/compared-worlds.ts";
import { startEchoBackends, type EchoBackends } from "../differential/echo-backends.ts";
import { exampleObjects } from "../differential/example.ts";
import { Lots } from "../differential/lots.ts";
import { threeApis } from "../differential/three-apis.ts";
import { createPlanes, type Plane } from "../differential/planes.ts";
import { gatewayPorts, randomWorld } from "../differential/random-objects.ts";
import { randomRequest } from "../differential/random-requests.ts";
import { makeCa, makeCertificate } from "../certificates.ts";
import { configMap, secret } from "../differential/secrets.ts";
import { authorities, tlsBackendName } from "../differential/world-services.ts";

const seed = Number(process.env["GATEWRIGHT_SEED"] ?? 100);
const worlds = Number(process.env["GATEWRIGHT_WORLDS"] ?? 8);
const requestsPerWorld = 500;

interface Stage {
  readonly planes: readonly Plane[];
  readonly backends: EchoBackends;
  readonly secrets: readonly object[];
}

describe("four proxies, one meaning", () => {
  /** Each world has proxies of its own: what one does to another is for the contract of drivers to show. */
  async function ready(context: TestContext): Promise<Stage> {
    const planes = await createPlanes(context, gatewayPorts);
    const authority = await makeCa();
    const backends = await startEchoBackends(
      await makeCertificate({ names: [tlsBackendName], ca: authority }),
    );
    onTestFinished(async () => {
      await Promise.all(planes.map((plane) => plane.stop()));
      await backends.stop();
    });
    await Promise.all(planes.map((plane) => plane.start()));
    const secrets = [
      secret("first", await makeCertificate({ names: ["a.shop.test"] })),
      secret("second", await makeCertificate({ names: ["*.shop.test"] })),
      configMap(authorities, authority.certificate),
    ];
    return { planes, backends, secrets };
  }

  it(
    "5.11 to 5.15, 5.18: the design's example means the same to all",
    { timeout: 60_000 },
    async (context) => {
      const { planes, backends } = await ready(context);
      const model = modelOf(exampleObjects(backends.ports));
      await Promise.all(planes.map((plane) => plane.apply(model)));
      for (const plane of planes) {
        const ask = async (port: 80 | 443, host: string, target: string, env?: string): Promise<string> => {
          const headers = env === undefined ? [] : [["env", env] as const];
          const serverName = port === 443 ? { serverName: host } : {};
          const request = { port, version: 1 as const, method: "GET", target, host, headers, ...serverName };
          const outcome = await plane.client.send(request);
          if (outcome.type === "refused") return "refused";
          return outcome.seen?.backend ?? String(outcome.status);
        };
        for (const port of [80, 443] as const) {
          const answers = {
            login: await ask(port, "foo.example.com", "/login"),
            below: await ask(port, "foo.example.com", "/login/x"),
            // Prefixes are element-wise, and values have their case.
            beside: await ask(port, "foo.example.com", "/loginx"),
            canary: await ask(port, "bar.example.com", "/", "canary"),
            upperCase: await ask(port, "bar.example.com", "/", "Canary"),
            rest: await ask(port, "bar.example.com", "/"),
            nobody: await ask(port, "baz.example.com", "/"),
            elsewhere: await ask(port, "example.org", "/"),
          };
          expect([plane.name, port, answers]).toEqual([
            plane.name,
            port,
            {
              login: "one",
              below: "one",
              beside: "404",
              canary: "two",
              upperCase: "three",
              rest: "three",
              nobody: "404",
              elsewhere: port === 443 ? "refused" : "404",
            },
          ]);
        }
        const names = ["foo.example.com", "bar.example.com", "a.b.example.com", "example.org"];
        expect([plane.name, await Promise.all(names.map((name) => plane.certificateFor(name)))]).toEqual([
          plane.name,
          ["Test only a", "Test only b", "Test only b", "refused"],
        ]);
      }
    },
  );

  it(
    "2.1.8, 5.20: Ingress, HTTPProxy and the Gateway API on one host mean the same to all",
    { timeout: 60_000 },
    async (context) => {
      const { planes, backends } = await ready(context);
      const model = modelOf(threeApis(backends.ports));
      await Promise.all(planes.map((plane) => plane.apply(model)));
      for (const plane of planes) {
        expect(plane.refusals).toEqual([]);
        const ask = async (target: string, host = "shop.test"): Promise<string> => {
          const request = { port: 80, version: 1, method: "GET", target, host, headers: [] } as const;
          const outcome = await plane.client.send(request);
          return outcome.type === "refused" ? "refused" : (outcome.seen?.backend ?? String(outcome.status));
        };
        const answers = {
          all: await ask("/all"),
          two: await ask("/two/x"),
          ingress: await ask("/ingress"),
          longest: await ask("/all/ingress"),
          oneLabel: await ask("/", "a.shop.test"),
          twoLabels: await ask("/", "a.b.shop.test"),
          rewritten: await ask("/app/x"),
          nobody: await ask("/nobody"),
        };
        expect([plane.name, answers]).toEqual([
          plane.name,
          {
            all: "one",
            two: "two",
            ingress: "three",
            longest: "three",
            oneLabel: "three",
            twoLabels: "404",
            rewritten: "three",
            nobody: "404",
          },
        ]);
      }
    },
  );

  for (let world = 0; world < worlds; world++) {
    it(
      `5.17 a random world, GATEWRIGHT_SEED=${seed + world} GATEWRIGHT_WORLDS=1`,
      { timeout: 300_000 },
      async (context) => {
        const { planes, backends, secrets } = await ready(context);
        const lots = new Lots(seed + world);
        const made = randomWorld(lots, backends.ports);
        const asked = planesFor(planes, made.needs);
        const model = modelOf([...made.objects, ...secrets], "shop/web");
        await Promise.all(asked.map((plane) => plane.apply(model)));
        expect(asked.flatMap(({ refusals }) => refusals)).toEqual([]);
        const requests = Array.from({ length: requestsPerWorld }, () => randomRequest(lots, made));
        expect(await compare(asked, requests)).toEqual([]);
      },
    );
  }
});
