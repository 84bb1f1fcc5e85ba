import type { Http2Session } from "node:http2";

export interface KeepAlive {
  /** From one question to the next, ms. */
  readonly every: number;
  /** For the answer, ms. */
  readonly within: number;
}

/** Asks the other side again and again whether it is still there, and ends the connection if it does not say so. */
export function keepAlive(session: Http2Session, { every, within }: KeepAlive): void {
  const timer = setInterval(() => {
    const limit = setTimeout(() => session.destroy(new Error("the other side is silent")), within).unref();
    const isSent = !session.destroyed && session.ping(() => clearTimeout(limit));
    // One that is still to be answered has a limit of its own.
    if (!isSent) clearTimeout(limit);
  }, every).unref();
  session.once("close", () => clearInterval(timer));
}
