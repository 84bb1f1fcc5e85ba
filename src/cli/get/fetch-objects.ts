import type { ShownObject } from "../../controller/index.ts";

export type FetchedObjects =
  | { readonly outcome: "objects"; readonly objects: readonly ShownObject[] }
  | { readonly outcome: "failed"; readonly message: string };

/** Asks the admin endpoint of a running Gatewright. */
export async function fetchObjects(origin: string): Promise<FetchedObjects> {
  const failed = (message: string) => ({ outcome: "failed", message }) as const;
  try {
    const response = await fetch(`${origin}/statuses`, { signal: AbortSignal.timeout(30_000) });
    if (!response.headers.get("server")?.startsWith("gatewright/")) {
      return failed(`what answers at ${origin} is not Gatewright; --admin says where it is`);
    }
    const { items } = (await response.json()) as { readonly items: readonly ShownObject[] };
    return { outcome: "objects", objects: items };
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
