/** The names of controllers that have written an entry for a parent or an ancestor, as far as the status can be read. */
export function writersOf(status: Readonly<Record<string, unknown>> | undefined): string[] {
  const lists = [status?.["ancestors"], status?.["parents"]];
  return lists.flatMap((list) =>
    (Array.isArray(list) ? (list as unknown[]) : []).flatMap((entry) => {
      if (typeof entry !== "object" || entry === null || !("controllerName" in entry)) return [];
      return typeof entry.controllerName === "string" ? [entry.controllerName] : [];
    }),
  );
}
