// npm start: from a fresh clone to a running gateway, with nothing but Node and npm.
// Old Nodes must be able to read this file up to requireNode(): plain syntax, and imports only after it.

import { requireNode } from "./node-version.mjs";

requireNode();
start(process.argv.slice(2)).then(
  function (code) {
    process.exitCode = code;
  },
  function (error) {
    console.error(error);
    process.exitCode = 1;
  },
);

async function start(args) {
  const { runCommand } = await import("./command.mjs");
  const { installPackages } = await import("./packages.mjs");
  if (!(await installPackages())) return 3;
  // It needs packages itself.
  const { build } = await import("./build.mjs");
  if (!(await build())) return 1;
  const { code } = await runCommand(process.execPath, ["dist/cli/main.js", "quickstart", ...args], {
    show: true,
  });
  return code;
}
