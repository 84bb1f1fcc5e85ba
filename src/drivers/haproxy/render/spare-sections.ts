/*
 * Sections that nobody uses yet. A section cannot be added to a running HAProxy, but servers can: a backend that comes into
 * use takes one of these, and a map tells Lua by which name it goes. So a new Service needs no new process, until the
 * spare ones are used up; the next process has all backends by their own names, and spare ones again.
 */
import type { BackendVariant, RetryVariant } from "../backend-variant.ts";
import type { Section } from "../config/configuration-text.ts";
import { backendLines } from "./backend-section.ts";

const kinds: readonly (Pick<BackendVariant, "mode" | "watched"> & { readonly count: number })[] = [
  { mode: "http", count: 32 },
  { mode: "http", watched: true, count: 8 },
  { mode: "grpc", count: 8 },
  { mode: "tcp", count: 8 },
];

export function spareSections(errorFiles: string): readonly Section[] {
  return kinds.flatMap(({ count, ...kind }) =>
    Array.from({ length: count }, (_, index) => ({
      keyword: "backend",
      name: `spare-${kind.mode}${kind.watched ? "-watched" : ""}-${index}`,
      lines: backendLines(kind, errorFiles),
    })),
  );
}

const usualAttempts = [1, 2, 3, 4, 5];

/** Of the ways to try again those that are asked for most. */
export function usualRetries(): readonly RetryVariant[] {
  return usualAttempts.flatMap((attempts) => [
    { attempts, watched: false },
    { attempts, watched: true },
  ]);
}
