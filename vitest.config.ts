import { defineConfig } from "vitest/config";
import { suites } from "./scripts/test-steps.mjs";

// One project per suite of `npm test`; scripts/test-steps.mjs has the table.
export default defineConfig({
  test: {
    globals: false,
    allowOnly: !process.env["CI"],
    // Two files at a time: what the smallest machine that runs us has cores for.
    maxWorkers: 2,
    projects: suites.map(({ name, files, testTimeout }) => ({
      extends: true,
      test: { name, include: files, testTimeout, hookTimeout: testTimeout, teardownTimeout: 10_000 },
    })),
  },
});
