// npm test, and with --quick `npm run check`. `npm test -- --only unit,golden` runs those steps.
// The last line is always the counts: N passed, N failed, N skipped.

import { requireNode } from "./node-version.mjs";

requireNode();
const { runTests } = await import("./test-run.mjs");
process.exitCode = await runTests(process.argv.slice(2));
