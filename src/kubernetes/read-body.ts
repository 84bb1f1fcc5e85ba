import type { WireAnswer } from "./exchange.ts";
import { KubernetesError } from "./error.ts";

/** A page of a list at its largest; more than that cannot be one text in Node. */
const largestBody = 256 << 20;

/** All of an answer's body. An answer that was cut short is no answer. */
export function readBody({ body, isWhole }: WireAnswer): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    body.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= largestBody) {
        chunks.push(chunk);
        return;
      }
      reject(
        new KubernetesError(`The API server's answer is larger than ${largestBody >> 20} MiB`, {
          code: "KUBERNETES_BAD_ANSWER",
        }),
      );
      body.destroy();
    });
    body.once("end", () => {
      if (isWhole()) resolve(textOf(chunks));
    });
    body.once("error", reject);
    body.once("close", () => {
      if (isWhole()) resolve(textOf(chunks));
      else reject(new Error("the connection was closed in the middle of the answer"));
    });
  });
}

function textOf(chunks: readonly Buffer[]): string {
  const [first] = chunks;
  return chunks.length === 1 && first ? first.toString("utf8") : Buffer.concat(chunks).toString("utf8");
}
