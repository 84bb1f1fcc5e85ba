/** A flag of a command, as the command table has it. */
export interface Flag {
  /** Without dashes. */
  readonly name: string;
  readonly short?: string;
  /** What the value is, as help shows it: `DIR`. Absent: a switch without a value. */
  readonly value?: string;
  readonly repeatable?: boolean;
  readonly required?: boolean;
  /** The only values there are. */
  readonly choices?: readonly string[];
  readonly default?: string;
  /** Completes to names of files and folders. */
  readonly isPath?: boolean;
  readonly summary: string;
}
