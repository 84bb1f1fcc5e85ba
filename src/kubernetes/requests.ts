/**
 * Requests with all that one needs around them: a place among those under way, a bound in time, credentials, and second
 * attempts where they are safe:
 *
 *   429, 503 with Retry-After   the server did nothing and says when to come back; as long as the time allows
 *   401                         once, with credentials read anew
 *   a broken connection         once, if the request only reads or the server has not looked at it
 */
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { Connections } from "./connections.ts";
import type { Credentials } from "./credentials.ts";
import { asKubernetesError, KubernetesError } from "./error.ts";
import type { WholeAnswer, WireAnswer, WireRequest } from "./exchange.ts";
import { cutManagedFields } from "./managed-fields.ts";
import { readBody } from "./read-body.ts";
import { RequestSlots } from "./request-slots.ts";

export interface ApiRequest {
  readonly method: string;
  /** With its query, without the path of the server's own URL. */
  readonly path: string;
  readonly contentType?: string;
  /** What is taken for an answer, where it is not simply JSON. */
  readonly accept?: string;
  /** The answer is not JSON, and comes as it is. */
  readonly isText?: boolean;
  /** The answer is read without them. */
  readonly withoutManagedFields?: boolean;
  readonly body?: object;
  /** ms, instead of the client's. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  /** Does not wait for its turn behind others: a leader that cannot say so in time is none. */
  readonly isUrgent?: boolean;
}

export interface OpenAnswer {
  readonly body: Readable;
  /** Ends the exchange. */
  readonly cancel: () => void;
}

export interface RequestsOptions {
  readonly credentials: Credentials;
  readonly userAgent: string;
  readonly requestTimeout: number;
  readonly connectTimeout: number;
  readonly pingEvery: number;
  readonly mostRequests: number;
}

const mostWaiting = 10_000;

export class Requests {
  readonly #options: RequestsOptions;
  readonly #connections: Connections;
  readonly #slots: RequestSlots;
  /** Ends each of those under way. A set, since there may be thousands, and listeners of a signal are looked for one by one. */
  readonly #underWay = new Set<(reason: unknown) => void>();
  #isClosed = false;
  readonly #prefix: string;

  constructor(options: RequestsOptions) {
    this.#options = options;
    this.#connections = new Connections(options);
    this.#slots = new RequestSlots(options.mostRequests, mostWaiting);
    this.#prefix = options.credentials.server.pathname.replace(/\/$/, "");
  }

  /** The body of a successful answer. */
  async send(request: ApiRequest): Promise<unknown> {
    const life = this.#life(request);
    const ask = async () => {
      const { bytes } = await this.#attempts(request, life, (wired) => this.#connections.ask(wired));
      if (request.isText === true) return bytes.toString("utf8");
      return parse(request.withoutManagedFields === true ? cutManagedFields(bytes) : bytes, request);
    };
    try {
      if (request.isUrgent === true) return await ask();
      await this.#slots.take(life.signal);
      try {
        return await ask();
      } finally {
        this.#slots.give();
      }
    } catch (error) {
      throw asKubernetesError(error, `${request.method} ${pathOnly(request)}`);
    } finally {
      life.end();
    }
  }

  async open(request: ApiRequest): Promise<OpenAnswer> {
    const life = this.#life(request, true);
    try {
      const answer = await this.#attempts(request, life, (wired) => this.#connections.exchange(wired));
      life.unbind();
      answer.body.once("close", life.end);
      return { body: answer.body, cancel: life.cancel };
    } catch (error) {
      life.end();
      throw asKubernetesError(error, `${request.method} ${pathOnly(request)}`);
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const abort of this.#underWay) abort(closedError());
    this.#connections.close();
  }

  async #attempts<Answer extends WireAnswer | WholeAnswer>(
    request: ApiRequest,
    life: Life,
    exchange: (request: WireRequest) => Promise<Answer>,
  ): Promise<Answer> {
    let isRepeated = false;
    let isRenewed = false;
    for (;;) {
      try {
        const answer = await exchange(await this.#wired(request, life));
        if (answer.status >= 200 && answer.status < 300) return answer;
        throw refusal(request, answer, "bytes" in answer ? answer.bytes : await readBody(answer));
      } catch (error) {
        if (life.signal.aborted) throw life.signal.reason;
        if (!(error instanceof KubernetesError)) {
          const isUntouched = (error as { isUntouched?: boolean }).isUntouched === true;
          if (isRepeated || !(isUntouched || request.method === "GET")) throw error;
          isRepeated = true;
        } else if (error.isUnauthorized && !isRenewed) {
          this.#options.credentials.refused();
          this.#connections.renew();
          isRenewed = true;
        } else if ((error.status === 429 || error.status === 503) && error.retryAfter !== undefined) {
          const wait = Math.max(error.retryAfter * 1_000, 50) * (1 + Math.random() / 4);
          if (wait >= life.remaining()) throw error;
          await sleep(wait, undefined, { signal: life.signal }).catch(() => undefined);
        } else throw error;
      }
    }
  }

  async #wired(request: ApiRequest, { signal, isLong }: Life): Promise<WireRequest> {
    const { credentials, userAgent } = this.#options;
    return {
      method: request.method,
      path: this.#prefix + request.path,
      headers: {
        ...checked(await credentials.headers()),
        accept: request.accept ?? "application/json",
        "user-agent": userAgent,
        ...(request.body === undefined ? {} : { "content-type": request.contentType ?? "application/json" }),
      },
      body: request.body === undefined ? undefined : JSON.stringify(request.body),
      isLong,
      signal,
    };
  }

  #life({ method, path, timeout = this.#options.requestTimeout, signal }: ApiRequest, isLong = false): Life {
    const controller = new AbortController();
    const abort = (reason: unknown) => controller.abort(reason);
    const deadline = performance.now() + timeout;
    const timer = setTimeout(
      () =>
        abort(
          new KubernetesError(`${method} ${pathOnly({ path })}: no answer within ${timeout / 1000} s`, {
            code: "KUBERNETES_TIMEOUT",
          }),
        ),
      timeout,
    );
    const stop = () => abort(signal?.reason);
    this.#underWay.add(abort);
    if (this.#isClosed) abort(closedError());
    else if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
    return {
      isLong,
      signal: controller.signal,
      remaining: () => deadline - performance.now(),
      unbind: () => clearTimeout(timer),
      cancel: () => abort(new Error("not wanted any more")),
      end: () => {
        clearTimeout(timer);
        this.#underWay.delete(abort);
        signal?.removeEventListener("abort", stop);
      },
    };
  }
}

/** What ends an exchange early: its time, its caller, or the client. */
interface Life {
  readonly isLong: boolean;
  readonly signal: AbortSignal;
  /** ms. */
  readonly remaining: () => number;
  /** From now on without a bound in time. */
  readonly unbind: () => void;
  readonly cancel: () => void;
  readonly end: () => void;
}

/** A token comes from a file or another program: whatever is in there, it does not begin a header of its own. */
function checked(headers: WireRequest["headers"]): WireRequest["headers"] {
  for (const [name, value] of Object.entries(headers)) {
    if (![value].flat().some((one) => /[^\t\x20-\x7e]/.test(one))) continue;
    throw new KubernetesError(`The credentials' ${name} has a character that no header may have`, {
      code: "KUBERNETES_CREDENTIALS",
    });
  }
  return headers;
}

function closedError(): KubernetesError {
  return new KubernetesError("The client was closed", { code: "KUBERNETES_CLOSED" });
}

function parse(bytes: Buffer, request: ApiRequest): unknown {
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    throw new KubernetesError(`${request.method} ${pathOnly(request)}: the answer is not JSON`, {
      code: "KUBERNETES_BAD_ANSWER",
      cause: error,
    });
  }
}

interface RawStatus {
  readonly reason?: unknown;
  readonly message?: unknown;
  readonly details?: { readonly retryAfterSeconds?: unknown };
}

function refusal(
  request: ApiRequest,
  { status, headers }: WireAnswer | WholeAnswer,
  bytes: Buffer,
): KubernetesError {
  const text = bytes.toString("utf8");
  let body: RawStatus = {};
  try {
    body = (JSON.parse(text) ?? {}) as RawStatus;
  } catch {
    // Paths that are not served, and whatever stands before the server, answer in plain text.
    body = { message: text.trim().slice(0, 200) };
  }
  const seconds = Number(headers["retry-after"] ?? body.details?.retryAfterSeconds ?? Number.NaN);
  const message = typeof body.message === "string" && body.message !== "" ? `: ${body.message}` : "";
  return new KubernetesError(`${request.method} ${pathOnly(request)}: ${status}${message}`, {
    code: "KUBERNETES_REFUSED",
    status,
    reason: typeof body.reason === "string" ? body.reason : "",
    retryAfter: Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined,
  });
}

function pathOnly({ path }: { readonly path: string }): string {
  const query = path.indexOf("?");
  return query < 0 ? path : path.slice(0, query);
}
