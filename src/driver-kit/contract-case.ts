import { Plane, type ContractContext } from "./plane.ts";

/** One thing that every driver does, shown by real traffic. */
export interface ContractCase {
  /** `<area>: <what holds>` */
  readonly name: string;
  /** A name from `features` in the model: a driver that does not claim it is not asked. Absent: every driver is. */
  readonly feature?: string;
  /** Starts a driver and all else that is needed, and ends it. Rejects if the driver does something else. */
  readonly run: (context: ContractContext) => Promise<void>;
}

type Check = (plane: Plane) => Promise<void>;

/** The cases of an area are made with what this gives: the name, the feature that is needed, and what is to be seen. */
export function casesOf(area: string) {
  return (name: string, feature: string, check: Check): ContractCase => ({
    name: `${area}: ${name}`,
    feature,
    async run(context) {
      const plane = new Plane(await context.createDriver(), context);
      let isDone = false;
      try {
        await plane.start();
        await check(plane);
        isDone = true;
      } finally {
        // What the check found matters more than trouble on the way out.
        await (isDone ? plane.stop() : plane.stop().catch(() => {}));
      }
    },
  });
}
