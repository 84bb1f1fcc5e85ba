/** Calls somebody else's code. What it throws goes to its `fault`, or becomes an uncaught exception: it never vanishes. */
export function tellSafely(telling: () => void, fault?: (error: unknown) => void): void {
  try {
    telling();
  } catch (error) {
    try {
      if (!fault) throw error;
      fault(error);
    } catch (unheard) {
      queueMicrotask(() => {
        throw unheard;
      });
    }
  }
}
