/*
 * Sends a request to one of a backend's endpoints and its answer back to the client, with as many tries as are allowed.
 *
 * A try ends in an answer's head that is not to be retried (then the answer streams through, at the client's pace), or in an
 * error. Between tries nothing is sent to the client. After the head has gone out, an error can only break the answer.
 */
import type { Duplex } from "node:stream";
import type {
  AnswerBody,
  HeaderList,
  UpstreamBackend,
  UpstreamCall,
  UpstreamEndpoint,
  UpstreamHandler,
  UpstreamRequest,
} from "../upstream/index.ts";
import { UpstreamError } from "../upstream/index.ts";
import { RetryState, type NextTry } from "./retry.ts";
import { sessionHeader } from "./session-persistence.ts";
import type { Transaction, Work } from "./transaction.ts";
import { joinTunnel } from "./tunnel.ts";

export interface ForwardOptions {
  readonly transaction: Transaction;
  readonly backend: UpstreamBackend;
  readonly request: UpstreamRequest;
  /** Where the client's session is, if it has one. */
  readonly sessionEndpoint: UpstreamEndpoint | undefined;
  readonly mirrors: readonly { abort(): void }[];
}

export class Forwarding implements UpstreamHandler, Work {
  readonly #transaction: Transaction;
  readonly #backend: UpstreamBackend;
  readonly #request: UpstreamRequest;
  readonly #sessionEndpoint: UpstreamEndpoint | undefined;
  readonly #mirrors: readonly { abort(): void }[];
  #retries: RetryState | undefined;
  readonly #protocol: "http/1.1" | "h2";
  readonly endures: boolean;
  #call: UpstreamCall | undefined;
  #endpoint: UpstreamEndpoint | undefined;
  #tried: Set<UpstreamEndpoint> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #paused = false;
  /** The endpoint has this request among those under way. */
  #isCounted = false;

  constructor({ transaction, backend, request, sessionEndpoint, mirrors }: ForwardOptions) {
    const { action } = transaction;
    this.#transaction = transaction;
    this.#backend = backend;
    this.#request = request;
    this.#sessionEndpoint = sessionEndpoint;
    this.#mirrors = mirrors;
    const speaksHttp2 = backend.speaksHttp2 || action.protocol === "grpc";
    this.#protocol = speaksHttp2 && request.upgrade === undefined ? "h2" : "http/1.1";
    const { timeouts } = action;
    this.endures = timeouts.request === 0 || timeouts.backendRequest === 0 || timeouts.idle !== undefined;
    transaction.work = this;
  }

  start(): void {
    this.#backend.retries?.countRequest(this.#transaction.context.now());
    this.#try();
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#uncount();
    this.#call?.abort();
    this.#call = undefined;
    const { body } = this.#transaction;
    if (body && !body.ended) for (const mirror of this.#mirrors) mirror.abort();
  }

  onClientDrain(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#call?.resume();
  }

  onInformational(status: number, headers: HeaderList): void {
    this.#transaction.sendInformational(status, headers);
  }

  onHead(status: number, headers: HeaderList, body: AnswerBody): void {
    const transaction = this.#transaction;
    if (transaction.compiled!.retryStatuses.has(status) && this.#canRepeat) {
      const next = this.#retryState.afterStatus(transaction.context.now());
      if (next.type === "again") {
        this.#abandon();
        this.#tryAgain(next);
        return;
      }
    }
    transaction.body?.release();
    this.#addSession();
    transaction.sendHead(status, headers, body);
  }

  onData(chunk: Buffer, isLast: boolean): void {
    this.#transaction.moved();
    if (this.#transaction.exchange.sendData(chunk, isLast)) return;
    this.#paused = true;
    this.#call?.pause();
  }

  onEnd(trailers: HeaderList | undefined): void {
    this.#call = undefined;
    this.#uncount();
    clearTimeout(this.#timer);
    const transaction = this.#transaction;
    transaction.sendEnd(trailers);
    transaction.finish();
  }

  onDrain(): void {
    this.#transaction.body?.resume();
  }

  onUpgrade(headers: HeaderList, stream: Duplex, first: Buffer): void {
    this.#call = undefined;
    clearTimeout(this.#timer);
    const transaction = this.#transaction;
    transaction.stopDeadline();
    transaction.stopWatchingSilence();
    const { exchange, context } = transaction;
    this.#addSession();
    const client = exchange.acceptUpgrade(transaction.upgradeHeaders(headers));
    transaction.work = joinTunnel(
      client,
      { stream, first },
      {
        idleTimeout: tunnelSilence(transaction.action.timeouts.idle, context.limits.tunnelIdleTimeout),
        onEnd: ({ bytesIn, bytesOut }) => {
          this.#uncount();
          exchange.bytesIn = bytesIn;
          exchange.bytesOut = bytesOut;
          transaction.finish();
        },
      },
    );
  }

  onError(error: UpstreamError): void {
    this.#call = undefined;
    this.#uncount();
    clearTimeout(this.#timer);
    const transaction = this.#transaction;
    if (transaction.isOver) return;
    if (transaction.exchange.headSent) {
      transaction.abort();
      return;
    }
    if (this.#canRepeat) {
      const next = this.#retryState.afterError(error, transaction.context.now());
      if (next.type === "again") {
        this.#tryAgain(next);
        return;
      }
    }
    transaction.reply(replyTo(error));
  }

  get #retryState(): RetryState {
    return (this.#retries ??= new RetryState(
      this.#transaction.action.retry,
      this.#request.method,
      this.#backend,
    ));
  }

  get #canRepeat(): boolean {
    const { body } = this.#transaction;
    return body === undefined || body.replayable;
  }

  #try(): void {
    const transaction = this.#transaction;
    const sessionEndpoint = this.#tried ? undefined : this.#sessionEndpoint;
    const endpoint = sessionEndpoint ?? this.#backend.pick(this.#tried, transaction.exchange);
    if (!endpoint) {
      transaction.reply({ status: 503, text: "the backend has no endpoints" });
      return;
    }
    this.#endpoint = endpoint;
    endpoint.active++;
    this.#isCounted = true;
    transaction.endpoint = endpoint.name;
    const timeout = transaction.action.timeouts.backendRequest;
    if (timeout) this.#timer = setTimeout(() => this.#onTimeout(), timeout);
    this.#call = endpoint.call(this.#request, this, this.#protocol);
    transaction.body?.sendTo(this.#call);
  }

  #tryAgain(next: NextTry & { readonly type: "again" }): void {
    (this.#tried ??= new Set()).add(this.#endpoint!);
    this.#transaction.body?.detach();
    this.#transaction.context.metrics.retries++;
    if (next.after === 0) this.#try();
    else this.#timer = setTimeout(() => this.#try(), next.after);
  }

  /** The try is over, whatever may still come from it. */
  #abandon(): void {
    clearTimeout(this.#timer);
    this.#uncount();
    this.#call?.abort();
    this.#call = undefined;
  }

  #uncount(): void {
    if (!this.#isCounted) return;
    this.#isCounted = false;
    this.#endpoint!.active--;
  }

  #onTimeout(): void {
    this.#call?.abort();
    this.onError(new UpstreamError("timeout", "the backend took too long"));
  }

  #addSession(): void {
    const transaction = this.#transaction;
    const { session } = transaction.action;
    const endpoint = this.#endpoint!;
    if (!session || endpoint === this.#sessionEndpoint) return;
    const { context, exchange } = transaction;
    const token = context.sessions.issue(session, { backend: this.#backend, endpoint }, context.now());
    const header = sessionHeader(session, token, exchange.client.scheme);
    if (header) (transaction.extraHeaders ??= []).push(...header);
  }
}

/** The longest that a timer takes stands for "off". */
function tunnelSilence(asked: number | undefined, usual: number): number {
  return asked === 0 ? 0x7fff_ffff : (asked ?? usual);
}

function replyTo({ failure }: UpstreamError): { readonly status: number; readonly text: string } {
  switch (failure) {
    case "timeout":
      return { status: 504, text: "the backend took too long" };
    case "protocol":
      return { status: 502, text: "the backend's answer is not valid HTTP" };
    case "overflow":
      return { status: 503, text: "the backend is overloaded" };
    case "connect":
      return { status: 503, text: "the backend cannot be reached" };
    case "reset":
      return { status: 503, text: "the backend closed the connection before it answered" };
  }
}
