import type { Driver, Report } from "../drivers/index.ts";

/** Claims what a real driver claims, opens nothing, and reports every listener as programmed: for answers to "what if". */
export function dryDriver({ name, features }: Pick<Driver, "name" | "features">): Driver {
  let report: Report = () => undefined;
  return {
    name: `${name} (dry run)`,
    features,
    async start(to) {
      report = to;
    },
    async apply({ listeners }) {
      const opened = [...listeners].filter(([, listener]) => listener !== undefined);
      report(opened.map(([key]) => ({ kind: "listeners", key, state: { type: "programmed" } })));
    },
    async stop() {},
  };
}
