// How a test says what it needs from the machine. What is missing makes the test skipped, with the command
// that gets it in the final report; on CI it makes the test fail.

import { beforeAll, describe, type TestContext } from "vitest";
import { componentNamed, missingMessage, mustHaveAll } from "./components.mjs";

declare module "vitest" {
  interface TaskMeta {
    /** Why a whole suite is skipped; a single test says it to `context.skip`. */
    skipReason?: string;
  }
}

const found = new Map<string, string | undefined>();

/** The path of a component, in one test: `const curl = need(context, "curl")`. */
export function need(context: TestContext, name: string): string {
  const path = find(name);
  if (path !== undefined) return path;
  const message = missingMessage(componentNamed(name));
  if (mustHaveAll()) throw new Error(message);
  return context.skip(message);
}

/** A `describe` whose tests all need the same components; its body gets their paths, in the order of `names`. */
export function describeNeeding(
  names: readonly string[],
  title: string,
  body: (...paths: string[]) => void,
): void {
  const paths = names.map((name) => find(name) ?? "");
  const missing = names.filter((name) => find(name) === undefined);
  if (missing.length === 0) {
    describe(title, () => {
      body(...paths);
    });
    return;
  }
  const skipReason = missing.map((name) => missingMessage(componentNamed(name))).join("; ");
  describe(title, { skip: !mustHaveAll(), meta: { skipReason } }, () => {
    beforeAll(() => {
      throw new Error(skipReason);
    });
    body(...paths);
  });
}

function find(name: string): string | undefined {
  if (!found.has(name)) found.set(name, componentNamed(name).find());
  return found.get(name);
}
