import { describeSize, describeSystemError } from "./read-bounded.ts";

export type StreamReading =
  | { readonly outcome: "read"; readonly bytes: Buffer }
  | { readonly outcome: "refused"; readonly message: string }
  | { readonly outcome: "stopped" };

/** Reads standard input or a pipe to its end, if it is not too much, unless the signal comes first. */
export function readStream(
  stream: NodeJS.ReadableStream,
  maxFileSize: number,
  signal: AbortSignal,
): Promise<StreamReading> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = (reading: StreamReading) => {
      stream.off("data", onData).off("end", onEnd).off("close", onEnd).off("error", onError);
      signal.removeEventListener("abort", onStop);
      // An error after this is nobody's concern, but without a listener it would end the process.
      stream.on("error", () => undefined);
      stream.pause();
      resolve(reading);
    };
    const onData = (chunk: Buffer | string) => {
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      chunks.push(bytes);
      length += bytes.length;
      if (length > maxFileSize) finish({ outcome: "refused", message: describeSize(undefined, maxFileSize) });
    };
    const onEnd = () => finish({ outcome: "read", bytes: Buffer.concat(chunks, length) });
    const onError = (error: unknown) =>
      finish({ outcome: "refused", message: `cannot be read: ${describeSystemError(error)}` });
    const onStop = () => finish({ outcome: "stopped" });
    if (signal.aborted) return onStop();
    // Somebody else has read it, or it was never open: it will not say so again.
    if (
      "readableEnded" in stream &&
      (stream.readableEnded === true || ("destroyed" in stream && stream.destroyed === true))
    ) {
      return onEnd();
    }
    signal.addEventListener("abort", onStop);
    stream.on("data", onData).on("end", onEnd).on("close", onEnd).on("error", onError);
  });
}
