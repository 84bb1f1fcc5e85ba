import type { Finding, ShownObject } from "../../controller/index.ts";

export type FetchedObjects =
  | { readonly outcome: "objects"; readonly objects: readonly ShownObject[]; readonly messages: Messages }
  | { readonly outcome: "failed"; readonly message: string };

/** By `objectId`: what to look at first. */
export type Messages = ReadonlyMap<string, string>;

export function objectId(kind: string, namespace: string | undefined, name: string): string {
  return `${kind}/${namespace ?? ""}/${name}`;
}

interface FoundIn extends Finding {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** Asks the admin endpoint of a running Gatewright. */
export async function fetchObjects(
  origin: string,
  { withMessages }: { readonly withMessages: boolean },
): Promise<FetchedObjects> {
  const failed = (message: string) => ({ outcome: "failed", message }) as const;
  try {
    const ask = (path: string) => fetch(`${origin}/${path}`, { signal: AbortSignal.timeout(30_000) });
    const response = await ask("statuses");
    if (!response.headers.get("server")?.startsWith("gatewright/")) {
      return failed(`what answers at ${origin} is not Gatewright; --admin says where it is`);
    }
    const { items } = (await response.json()) as { readonly items: readonly ShownObject[] };
    const told = withMessages ? await ask("findings") : undefined;
    // One of another version may not have the page.
    const { findings } = told?.ok
      ? ((await told.json()) as { readonly findings: FoundIn[] })
      : { findings: [] };
    const messages = new Map<string, string>();
    for (const { kind, namespace, name, message } of findings) {
      const id = objectId(kind, namespace, name);
      if (!messages.has(id)) messages.set(id, message);
    }
    return { outcome: "objects", objects: items, messages };
  } catch (error) {
    const cause = (error as { readonly cause?: NodeJS.ErrnoException }).cause;
    const why =
      cause?.code === "ECONNREFUSED"
        ? "connection refused"
        : (cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error)));
    return failed(
      `nothing answers at ${origin} (${why}); start it with gatewright run -f DIR, or say with --admin where it is`,
    );
  }
}
