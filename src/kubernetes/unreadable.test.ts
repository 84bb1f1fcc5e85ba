import { describe, expect, it, onTestFinished } from "vitest";
import { configMaps } from "../../test/kubernetes/resource-types.ts";
import { clientOf, startServer } from "../../test/kubernetes/start.ts";
import { KubernetesError } from "./error.ts";
import { UnreadableCount } from "./unreadable.ts";

const refusal = (status: number) =>
  new KubernetesError("refused", { code: "KUBERNETES_REFUSED", status, reason: "" });

describe("what cannot be read", () => {
  it.each([401, 404, 429, 502, 503, 504])(
    "never counts for %d: that is the server's trouble, or that of something before it",
    async (status) => {
      const count = new UnreadableCount(clientOf(await startServer([configMaps])), 0);
      for (let i = 0; i < 5; i++) expect(await count.add(refusal(status))).toBe(false);
    },
  );

  it("counts after a few failures in a row, and at once if it is forbidden", async () => {
    const client = clientOf(await startServer([configMaps]));
    const count = new UnreadableCount(client, 0);
    expect([await count.add(refusal(500)), await count.add(refusal(500))]).toEqual([false, false]);
    expect(await count.add(refusal(500))).toBe(true);
    expect(await new UnreadableCount(client, 0).add(refusal(403))).toBe(true);
  });

  it.each([
    ["200 ok", 200, "ok", true],
    ["200 with a page of something before it", 200, "<html>Sign in</html>", false],
    ["200 with nothing", 200, "", false],
    ["500", 500, "not ok", false],
    ["502", 502, "", false],
    ["403: it may not be asked", 403, "", true],
    ["404: there is no such page", 404, "", true],
  ])("counts by what the server says of itself: %s", async (_, status, text, counts) => {
    const server = await startServer([configMaps]);
    server.intercept = ({ path }, response) => {
      if (path !== "/readyz") return false;
      response.writeHead(status, { "content-type": "text/plain" });
      response.end(text);
      return true;
    };
    expect(await new UnreadableCount(clientOf(server), 0).add(refusal(403))).toBe(counts);
  });

  it("counts though watches take all the places that they may take", async () => {
    const client = clientOf(await startServer([configMaps], { maxConcurrentStreams: 1 }));
    const watch = () => client.open({ method: "GET", path: "/api/v1/configmaps?watch=true" });
    for (let i = 0; i < 63; i++) {
      const { body, cancel } = await watch();
      body.on("error", () => undefined);
      onTestFinished(cancel);
    }
    await expect(watch()).rejects.toMatchObject({ code: "KUBERNETES_OVERLOADED" });
    expect(await new UnreadableCount(client, 0).add(refusal(403))).toBe(true);
  });

  it("counts though many requests wait for their turn", async () => {
    const server = await startServer([configMaps]);
    const client = clientOf(server, { mostRequests: 1 });
    let answer = () => {};
    const held = new Promise<boolean>((resolve) => (answer = () => resolve(false)));
    server.intercept = ({ path }) => (path === "/readyz" ? false : held);
    const waiting = [client.list(configMaps), client.list(configMaps)];
    expect(await new UnreadableCount(client, 0).add(refusal(403))).toBe(true);
    answer();
    await Promise.all(waiting);
  });
});
