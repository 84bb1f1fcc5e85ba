import { readFile } from "node:fs/promises";
import { KubernetesError, messageOf } from "./error.ts";

/**
 * A token that somebody else renews in a file (the kubelet does, an hour before it ends at the latest). It is read anew after
 * a while, and at once when the server refused it. A file that cannot be read for a moment does not end the old token.
 */
export class TokenFile {
  readonly #path: string;
  readonly #goodFor: number;
  #token: string | undefined;
  #readAt = 0;
  #reading: Promise<string> | undefined;

  constructor(path: string, goodForMs = 10_000) {
    this.#path = path;
    this.#goodFor = goodForMs;
  }

  token(): Promise<string> {
    if (this.#token !== undefined && performance.now() - this.#readAt < this.#goodFor) {
      return Promise.resolve(this.#token);
    }
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  refused(): void {
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  async #read(): Promise<string> {
    try {
      const token = (await readFile(this.#path, "utf8")).trim();
      if (token === "") throw new Error("it is empty");
      this.#token = token;
      this.#readAt = performance.now();
      return token;
    } catch (error) {
      if (this.#token !== undefined) return this.#token;
      throw new KubernetesError(`The token in ${this.#path} cannot be read: ${messageOf(error)}`, {
        code: "KUBERNETES_CREDENTIALS",
        cause: error,
      });
    }
  }
}
