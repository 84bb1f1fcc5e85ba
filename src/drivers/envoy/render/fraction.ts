import type { FractionalPercent } from "../generated/messages.ts";

const million = 1_000_000;

/** As exact as Envoy has it. */
export function millionths(numerator: number, denominator: number): FractionalPercent {
  return {
    numerator: Math.min(million, Math.round((numerator / denominator) * million)),
    denominator: "MILLION",
  };
}
