import type { Mirror } from "../../../model/index.ts";

/** Takes exactly `numerator` of every `denominator` requests, evenly spread. */
export class MirrorShare {
  readonly mirror: Mirror;
  #credit = 0;

  constructor(mirror: Mirror) {
    this.mirror = mirror;
  }

  /** Whether this request is one of them. */
  take(): boolean {
    this.#credit += this.mirror.numerator;
    if (this.#credit < this.mirror.denominator) return false;
    this.#credit -= this.mirror.denominator;
    return true;
  }
}
