/*
 * Which endpoint gets the next request, where a backend says how.
 *
 * A hash is rendezvous hashing: each endpoint has a score for the request's values, and the highest wins. So the same values stay with their endpoint, and when
 * one goes, only its own requests move.
 */
import { createHash } from "node:crypto";
import { firstQueryValue, type HashSource, type LoadBalancing } from "../../../model/index.ts";

/** What a request can be told by. */
export interface HashedRequest {
  readonly client: { readonly address: string };
  readonly request: { readonly query: string; header(name: string): string | undefined };
}

interface Candidate {
  readonly name: string;
  readonly active: number;
}

/** Undefined: whose turn it is. There are always candidates. */
export type Balancer = <T extends Candidate>(
  candidates: readonly T[],
  request: HashedRequest | undefined,
) => T | undefined;

/** Undefined: by turns, which is what is done anyway. */
export function balancerOf(loadBalancing: LoadBalancing): Balancer | undefined {
  switch (loadBalancing.type) {
    case "round-robin":
      return undefined;
    case "random":
      return (candidates) => candidates[Math.floor(Math.random() * candidates.length)];
    case "least-request":
      return leastBusy;
    case "hash": {
      const { on } = loadBalancing;
      return (candidates, request) => {
        const value = request && hashedValue(on, request);
        return value === undefined ? undefined : highestScore(candidates, value);
      };
    }
  }
}

/** The first of those with the fewest requests, from a place drawn by lot: equals take turns. */
function leastBusy<T extends Candidate>(candidates: readonly T[]): T | undefined {
  const start = Math.floor(Math.random() * candidates.length);
  let best: T | undefined;
  for (let step = 0; step < candidates.length; step++) {
    const candidate = candidates[(start + step) % candidates.length]!;
    if (!best || candidate.active < best.active) best = candidate;
  }
  return best;
}

/** All values that the request has, as one text; undefined: it has none. */
export function hashedValue(
  on: readonly HashSource[],
  { client, request }: HashedRequest,
): string | undefined {
  const values: string[] = [];
  for (const [index, source] of on.entries()) {
    const value =
      source.type === "source"
        ? client.address
        : source.type === "header"
          ? request.header(source.name)
          : firstQueryValue(request.query, source.name);
    if (value !== undefined) values.push(`${index}:${value.length}:${value}`);
  }
  return values.length > 0 ? values.join("\0") : undefined;
}

export function highestScore<T extends { readonly name: string }>(
  candidates: readonly T[],
  value: string,
): T | undefined {
  let best: T | undefined;
  let bestScore = -1;
  for (const candidate of candidates) {
    const score = createHash("sha1").update(`${candidate.name}\0${value}`).digest().readUIntBE(0, 6);
    if (score > bestScore) [best, bestScore] = [candidate, score];
  }
  return best;
}
