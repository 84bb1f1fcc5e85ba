import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { runCommand } from "./command.mjs";

const node = (script, options) => runCommand(process.execPath, ["-e", script], options);

it("returns what the command wrote and its exit code", async () => {
  const script = 'console.log("out"); console.error("err", process.env.GW_PROBE); process.exitCode = 4';
  const { code, output } = await node(script, { env: { GW_PROBE: "x" } });
  expect(code).toBe(4);
  expect(output.split("\n").sort()).toEqual(["", "err x", "out"]);
});

it("says so when there is no such command", async () => {
  const { code, output } = await runCommand("gatewright-no-such-command", []);
  expect(code).toBe(127);
  expect(output).toContain("gatewright-no-such-command");
});

it("ends a command that takes too long, with all that it started", async () => {
  const forever = "setInterval(() => {}, 1000)";
  // The grandchild holds the same output open: as long as it lives, runCommand waits.
  const grandchild = `["-e", ${JSON.stringify(forever)}], { stdio: "inherit" }`;
  const script = `require("child_process").spawn(process.execPath, ${grandchild}); ${forever}`;
  const { code, timedOut } = await node(script, { timeout: 1000 });
  expect({ code, timedOut }).toEqual({ code: 128 + 9, timedOut: true });
});

it("ends with the shell by which npm started us", async () => {
  const command = `process.on("SIGTERM", () => { console.log("asked to end"); process.exit(); });
    setInterval(() => {}, 1000); console.log("ready");`;
  const module = JSON.stringify(new URL("command.mjs", import.meta.url).href);
  const script = `const { runCommand } = await import(${module});
    await runCommand(process.execPath, ["-e", ${JSON.stringify(command)}], { show: true });`;
  // With something behind it the shell does not make way for the command.
  const shell = spawn("sh", ["-c", '"$0" --input-type=module -e "$1"; true', process.execPath, script], {
    env: { ...process.env, npm_lifecycle_event: "start" },
  });
  let output = "";
  shell.stdout.setEncoding("utf8").on("data", (text) => {
    output += text;
    if (text.includes("ready")) shell.kill("SIGTERM");
  });
  // The output is open as long as anybody lives who writes there.
  await once(shell, "close");
  expect(output).toBe("ready\nasked to end\n");
});
