import { KubernetesError } from "./error.ts";

/** A page of a list at its largest; more than that cannot be one text in Node. */
export const largestBody = 256 << 20;

export function answerTooLarge(): KubernetesError {
  return new KubernetesError(`The API server's answer is larger than ${largestBody >> 20} MiB`, {
    code: "KUBERNETES_BAD_ANSWER",
  });
}

export function wholeOf(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return chunks.length === 1 && first ? first : Buffer.concat(chunks);
}
