/** What no status tells of an object that somebody wrote by hand, and they may want to mend. */
export interface Note {
  readonly rule: "no-endpoints" | "certificate" | "unreachable-rule";
  /** `<Kind>/<namespace>/<name>` */
  readonly key: string;
  /** A sentence that begins with the object. */
  readonly message: string;
}
