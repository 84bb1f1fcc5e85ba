import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { endWithParent } from "./end-with-parent.ts";
import { LastLines } from "./last-lines.ts";
import { SupervisedProcess, type ProcessExit, type SupervisedProcessOptions } from "./supervised-process.ts";

const running: SupervisedProcess[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop(100);
});

function node(script: string, options: Partial<SupervisedProcessOptions> = {}) {
  const exits: ProcessExit[] = [];
  const pids: number[] = [];
  const supervised = new SupervisedProcess({
    command: process.execPath,
    args: ["-e", script],
    shortestWait: 20,
    longestWait: 100,
    onExit: (exit) => exits.push(exit),
    onStart: (pid) => pids.push(pid),
    ...options,
  });
  running.push(supervised);
  supervised.start();
  return { supervised, exits, pids };
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe("a supervised process", () => {
  it("is started again when it ends, ever more slowly, and what it said last is told", async () => {
    const { exits, pids } = node("console.error('no such thing'); process.exit(3)");
    await vi.waitUntil(() => exits.length >= 4, 10_000);
    expect(exits[0]).toMatchObject({ how: "ended with code 3", lines: "no such thing" });
    expect(new Set(pids).size).toBeGreaterThanOrEqual(4);
    const waits = exits.map(({ retryIn }) => retryIn);
    expect(waits[0]).toBeLessThanOrEqual(20);
    expect(waits[3]).toBeGreaterThan(20);
    expect(Math.max(...waits)).toBeLessThanOrEqual(100);
  });

  it("says by which signal it was ended, and that it can't be started", async () => {
    const { supervised, exits } = node("setInterval(() => {}, 1000)");
    await vi.waitUntil(() => supervised.pid !== undefined);
    process.kill(supervised.pid!, "SIGKILL");
    await vi.waitUntil(() => exits.length > 0, 5_000);
    expect(exits[0]!.how).toBe("was ended by SIGKILL");
    const missing = node("", { command: "/nowhere/at/all" });
    await vi.waitUntil(() => missing.exits.length > 0, 5_000);
    expect(missing.exits[0]!.how).toMatch(/could not be started: .*ENOENT/);
  });

  it("hands on its output line by line, and is gone after stop, willing or not", async () => {
    const lines: string[] = [];
    const script =
      "process.on('SIGTERM', () => {}); process.stdout.write('a\\nb'); process.stdout.write('c\\n'); setInterval(() => {}, 1000)";
    const { supervised } = node(script, { onOutput: (line) => lines.push(line) });
    await vi.waitUntil(() => lines.length === 2, 5_000);
    expect(lines).toEqual(["a", "bc"]);
    const pid = supervised.pid!;
    await supervised.stop(50);
    expect(isAlive(pid)).toBe(false);
    supervised.start();
    expect(supervised.pid).toBeUndefined();
  });
});

it("a process ends with its parent, however that ends, where the system has a way", async () => {
  const prefix = await endWithParent();
  if (prefix.length === 0) return;
  const inner = JSON.stringify([...prefix.slice(1), process.execPath, "-e", "setInterval(() => {}, 1000)"]);
  const script = `
    const child = require("node:child_process").spawn(${JSON.stringify(prefix[0])}, ${inner}, { detached: true });
    console.log(child.pid);
    setInterval(() => {}, 1000);`;
  const lines: string[] = [];
  const { supervised } = node(script, {
    onOutput: (line) => lines.push(line),
    shortestWait: 60_000,
    longestWait: 60_000,
  });
  await vi.waitUntil(() => lines.length > 0, 5_000);
  const child = Number(lines[0]);
  // It has become what it was asked to be by then.
  await vi.waitUntil(
    () => readFileSync(`/proc/${child}/cmdline`, "utf8").startsWith(process.execPath),
    5_000,
  );
  process.kill(supervised.pid!, "SIGKILL");
  await vi.waitUntil(() => !isAlive(child), 5_000);
  expect(isAlive(child)).toBe(false);
});

describe("the last lines", () => {
  it("are kept, the others not, and neither is a line without end", () => {
    const lines = new LastLines(2);
    expect(lines.add("a\nb\nc\n")).toEqual(["a", "b", "c"]);
    expect(lines.toString()).toBe("b\nc");
    lines.add("x".repeat(200_000));
    expect(lines.toString().length).toBeLessThan(70_000);
  });
});
