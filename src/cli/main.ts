#!/usr/bin/env node
// The first file that Node reads. It must parse on a Node that is too old for all the others, so it imports nothing
// before it has looked, and uses no young syntax.

const required = [20, 19];
const version = process.versions.node.split(".").map(Number);

if (version[0]! < required[0]! || (version[0] === required[0] && version[1]! < required[1]!)) {
  console.error(
    "gatewright: Node " +
      required.join(".") +
      " or newer is needed; this is " +
      process.versions.node +
      ". Get one at nodejs.org.",
  );
  process.exitCode = 3;
} else {
  import("./program.ts").then(
    function (program) {
      return program.main();
    },
    function (error) {
      console.error(error);
      process.exitCode = 70;
    },
  );
}
