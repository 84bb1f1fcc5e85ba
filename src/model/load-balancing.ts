/**
 * Which endpoint of a backend gets the next request. Absent: as the proxy does it, which is round-robin or by lot. Streams are always shared out like that.
 *
 * `round-robin`: by turns. `least-request`: of two or more that are looked at, the one with the fewest requests under way. `random`: by lot.
 * A session (`SessionPersistence`) comes before all of these.
 */
export type LoadBalancing = { readonly type: "round-robin" | "least-request" | "random" } | HashBalancing;

/**
 * The same values lead to the same endpoint, as long as there is that endpoint; when endpoints come or go, few of the others' requests move. All values
 * together are one hash; those that a request does not have are left out, and a request that has none of them goes anywhere. Backends of one
 * rule hash on the same things: where they do not, the list of the first that hashes may hold for all of them.
 */
export interface HashBalancing {
  readonly type: "hash";
  readonly on: readonly HashSource[];
}

/** Header names are lower-case. `source` is the peer's address, without its port. */
export type HashSource =
  | { readonly type: "header"; readonly name: string }
  | { readonly type: "query"; readonly name: string }
  | { readonly type: "source" };
