/** The flag by which what is tried out is turned on. */
import { gateNames, type Gate } from "../controller/names/index.ts";
import type { Flag } from "./flag.ts";
import type { Invocation } from "./invocation.ts";

export const gateFlag: Flag = {
  name: "gate",
  value: "NAME",
  repeatable: true,
  choices: gateNames,
  summary: "turn on an experiment",
};

export function readGates(invocation: Invocation): readonly Gate[] {
  return gateNames.filter((gate) => invocation.values(gateFlag.name).includes(gate));
}
