/** A decision on one object, in the API's words. Time and generation are added when it is written. */
export interface Verdict {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  /** For a person: names the object, the field and the fix. */
  readonly message: string;
}

/** A condition as it stands in an object's status. */
export interface Condition extends Verdict {
  readonly observedGeneration?: number;
  readonly lastTransitionTime: string;
}
