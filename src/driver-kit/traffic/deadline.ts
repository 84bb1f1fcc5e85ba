/** How long a client waits for a gateway before the case fails, ms. */
export const clientPatience = 15_000;

/** What `work` gives, or an error that says what was waited for. */
export async function within<T>(milliseconds: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${what}: nothing happened for ${milliseconds} ms`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Asks again and again; for what the contract lets take its time. */
export async function eventually(
  milliseconds: number,
  what: string,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`${what}: not so after ${milliseconds} ms`);
    await pause(20);
  }
}
