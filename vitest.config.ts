import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { suites } from "./scripts/test-steps.mjs";

// One project per suite of `npm test`; scripts/test-steps.mjs has the table.
export default defineConfig({
  // Examples import the package by its name.
  resolve: {
    alias: [
      { find: /^gatewright$/, replacement: fileURLToPath(new URL("src/index.ts", import.meta.url)) },
      {
        find: /^gatewright\/driver-kit$/,
        replacement: fileURLToPath(new URL("src/driver-kit/index.ts", import.meta.url)),
      },
    ],
  },
  test: {
    globals: false,
    allowOnly: !process.env["CI"],
    // Two files at a time: what the smallest machine that runs us has cores for.
    maxWorkers: 2,
    projects: suites.map(({ name, files, isolate = true, testTimeout }) => ({
      extends: true,
      test: { name, include: files, isolate, testTimeout, hookTimeout: testTimeout, teardownTimeout: 10_000 },
    })),
  },
});
