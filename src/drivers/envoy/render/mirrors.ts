import type { Mirror } from "../../../model/index.ts";
import type { RouteActionRequestMirrorPolicy } from "../generated/messages.ts";
import { millionths } from "./fraction.ts";

/** Mirrors that lead nowhere are left out: nobody waits for their answer. */
export function renderMirrors(mirrors: readonly Mirror[]): readonly RouteActionRequestMirrorPolicy[] {
  return mirrors.flatMap(({ target, numerator, denominator }) =>
    target.type === "error" || numerator === 0
      ? []
      : [
          {
            cluster: target.backend,
            disableShadowHostSuffixAppend: true,
            ...(numerator >= denominator
              ? {}
              : { runtimeFraction: { defaultValue: millionths(numerator, denominator) } }),
          },
        ],
  );
}
