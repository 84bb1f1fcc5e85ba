/*
 * What the regular expressions of all rules together may cost for one request.
 *
 * Each test is linear in its text, but an owner of routes picks how many expressions there are and how many steps they have, a client picks
 * the text, and the product of the three can keep a data plane busy for a minute. Whoever matches a request hands the
 * same effort to all tests of it; when it is used up, the request cannot be matched. That is no "does not match": a rule that
 * was not asked may be the one that forbids the request.
 */

/** In looks into a table, a few hundredths of a second in all. A hundred usual expressions on a text of 8 kB take a tenth of it. */
const mostForRequest = 10_000_000;

export class MatchingEffort {
  #left: number;

  constructor(most = mostForRequest) {
    this.#left = most;
  }

  /** Throws `MatchingTooCostly` when nothing is left. */
  spend(looks: number): void {
    this.#left -= looks;
    if (this.#left < 0) throw new MatchingTooCostly();
  }
}

export class MatchingTooCostly extends Error {
  readonly code = "MATCHING_TOO_COSTLY";

  constructor() {
    super("the regular expressions of the routes take too long for this request");
  }
}
