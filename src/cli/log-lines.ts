/** Programs that nobody watches write one line of JSON for each thing that happened, to standard error. */
import type { Terminal } from "./terminal.ts";

export type LogLevel = "info" | "warning" | "error";
export type Log = (level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>) => void;

export function jsonLog(terminal: Pick<Terminal, "err">): Log {
  return (level, message, fields = {}) =>
    terminal.err(JSON.stringify({ time: new Date().toISOString(), level, message, ...fields }));
}

export function errorFields(error: unknown): { readonly error: string; readonly code?: string } {
  if (!(error instanceof Error)) return { error: String(error) };
  const { code } = error as NodeJS.ErrnoException;
  return { error: error.message, ...(typeof code === "string" && { code }) };
}
