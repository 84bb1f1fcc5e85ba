/** A page of the admin endpoint; its name is the first segment of its path. */
export interface AdminPage {
  readonly name: string;
  /** One line for the index; absent: not listed. */
  readonly summary?: string;
  /** For clients from other machines too: it tells nothing about what is configured. */
  readonly isPublic?: boolean;
  /** `rest`: the path behind the name, decoded. `undefined`: there is no such page. */
  render(rest: readonly string[]): PageContent | undefined;
}

export interface PageContent {
  readonly status?: number;
  readonly type: string;
  readonly body: PageBody;
}

/** A long body comes in pieces. */
export type PageBody = string | Iterable<string>;

export const plainText = "text/plain; charset=utf-8";

export function jsonPage(value: unknown): PageContent {
  return { type: "application/json", body: `${JSON.stringify(value, null, 2)}\n` };
}
