import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { need } from "../../components/need.ts";
import { gatewright, startGatewright } from "./program.ts";

const shell = promisify(execFile);

interface Told {
  readonly backend: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Runs a line as it was printed; each line of the answer is JSON. */
async function runLine(line: string): Promise<Told[]> {
  const { stdout } = await shell("sh", ["-c", line]);
  return stdout
    .trim()
    .split("\n")
    .map((text) => JSON.parse(text) as Told);
}

async function startQuickstart() {
  const running = startGatewright(["quickstart"]);
  await running.find(/Ctrl-C stops everything/);
  const lines = running.stdout.split("\n").filter((line) => line.startsWith("curl "));
  return { running, lines };
}

describe("gatewright quickstart", () => {
  it("prints lines that work as they are, and leaves nothing behind", async (context) => {
    need(context, "curl");
    const { running, lines } = await startQuickstart();
    const [byPath = "", byHeader = "", byWeight = "", byHttps = ""] = lines;
    expect(lines).toHaveLength(4);

    expect(await runLine(byPath)).toMatchObject([{ backend: "apples", path: "/apples" }]);
    expect(await runLine(byHeader)).toMatchObject([
      { backend: "pears", path: "/today", headers: { fruit: "pears", "x-served-by": "gatewright" } },
    ]);
    const mixed = (await runLine(byWeight)).map(({ backend }) => backend);
    expect(mixed.toSorted()).toEqual([...Array<string>(6).fill("apples"), "pears", "pears"]);
    expect(await runLine(byHttps)).toMatchObject([
      { backend: "pears", path: "/pears", headers: { "x-forwarded-proto": "https" } },
    ]);

    const [, certificate = ""] = /--cacert (\S+)/.exec(byHttps) ?? [];
    const folder = dirname(certificate);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, "certificate.yaml")).mode & 0o777).toBe(0o600);

    const [, admin = ""] = await running.find(/Admin endpoint: (http:\S+)/);
    const statuses = await (await fetch(`${admin}statuses/routes`)).json();
    expect(statuses).toMatchObject({ items: [{}, {}, {}] });
    const [, explainLine = ""] = await running.find(/^npx gatewright (explain .*)$/m);
    const explained = await gatewright(explainLine.split(" "));
    expect(explained).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("75 % to Service default/apples:80"),
    });

    expect(await running.stop("SIGINT")).toBe(0);
    expect(existsSync(folder)).toBe(false);
    await expect(runLine(byPath)).rejects.toThrow("Command failed");
    await expect(fetch(admin)).rejects.toThrow("fetch failed");
  });

  it("works where its ports are taken", async (context) => {
    need(context, "curl");
    for (const port of [8080, 8443, 19000]) {
      const blocker = createServer((socket) => socket.destroy());
      // Whoever has it already blocks it as well.
      blocker.on("error", () => undefined).listen(port, "127.0.0.1");
      onTestFinished(() => void blocker.close());
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { running, lines } = await startQuickstart();
    expect(lines.join("\n")).not.toMatch(/:(8080|8443)\//);
    expect(running.stdout).not.toContain("127.0.0.1:19000/");
    expect(await runLine(lines[0] ?? "")).toMatchObject([{ backend: "apples" }]);
    expect(await runLine(lines[3] ?? "")).toMatchObject([{ backend: "pears" }]);
    expect(await running.stop("SIGTERM")).toBe(0);
  });
});
