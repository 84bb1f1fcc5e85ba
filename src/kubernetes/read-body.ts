import { answerTooLarge, largestBody, wholeOf } from "./answer-text.ts";
import type { WireAnswer } from "./exchange.ts";

/** All of an answer's body. An answer that was cut short is no answer. */
export function readBody({ body, isWhole }: WireAnswer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    body.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= largestBody) {
        chunks.push(chunk);
        return;
      }
      reject(answerTooLarge());
      body.destroy();
    });
    body.once("end", () => {
      if (isWhole()) resolve(wholeOf(chunks));
    });
    body.once("error", reject);
    body.once("close", () => {
      if (isWhole()) resolve(wholeOf(chunks));
      else reject(new Error("the connection was closed in the middle of the answer"));
    });
  });
}
