import { describe, expect, it } from "vitest";
import { takeBuiltins } from "./bundle.mjs";

describe("imports of Node's own modules", () => {
  const ask = (name) => `process.getBuiltinModule("${name}")`;

  it.each([
    ['import http from "node:http";', `const http = ${ask("node:http")};`],
    ['import * as http from "node:http";', `const http = ${ask("node:http")};`],
    ['import { join, sep as bar } from "node:path";', `const { join, sep: bar } = ${ask("node:path")};`],
    [
      'import net, { isIP } from "node:net";',
      `const net = ${ask("node:net")}, { isIP } = ${ask("node:net")};`,
    ],
    ['import { readFile } from "node:fs/promises";', `const { readFile } = ${ask("node:fs/promises")};`],
  ])("%s", (code, expected) => {
    expect(takeBuiltins(code)).toBe(expected);
  });

  it("leaves all other imports as they are", () => {
    const code = 'import yaml from "yaml";\nimport { a } from "./a.js";\nimport "node:fs";\n';
    expect(takeBuiltins(code)).toBe(code);
  });
});
