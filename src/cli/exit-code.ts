/** What the program ends with. The numbers are a promise to scripts. */
export const exitCode = {
  fine: 0,
  /** The user's objects, or what was asked for, are not right; stderr says what and where. */
  badInput: 1,
  /** The command line itself makes no sense. */
  misuse: 2,
  /** The machine lacks something: a port, a permission, a newer Node, a running Gatewright. */
  environment: 3,
  /** A mistake of ours. */
  bug: 70,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
