// How a test says what it needs from the machine. What is missing makes the test skipped, with the command
// that gets it in the final report; on CI it makes the test fail.

import type { TestContext } from "vitest";
import { componentNamed, missingMessage, mustHaveAll } from "./components.mjs";

const found = new Map<string, string | undefined>();

/** The path of a component, in one test: `const curl = need(context, "curl")`. */
export function need(context: TestContext, name: string): string {
  const path = find(name);
  if (path !== undefined) return path;
  return doWithout(context, missingMessage(componentNamed(name)));
}

/** The test cannot be run here, for a reason that lies in the machine. */
export function doWithout(context: TestContext, reason: string): never {
  if (mustHaveAll()) throw new Error(reason);
  return context.skip(reason);
}

function find(name: string): string | undefined {
  if (!found.has(name)) found.set(name, componentNamed(name).find());
  return found.get(name);
}
