/*
 * One request from its head to the last byte of its answer: what has been decided about it, what will be done to its
 * answer, and who is working on it now. It ends exactly once, and is then counted and logged.
 */
import type { HeaderValue, RuleAction } from "../../../model/index.ts";
import type { AnswerBody, HeaderList } from "../upstream/index.ts";
import { tooLarge } from "./admission.ts";
import type { CompiledAction } from "./compiled-rule.ts";
import { addCorsHeaders } from "./cors-headers.ts";
import type { Exchange, ExchangeObserver } from "./exchange.ts";
import { requestIdOf } from "./forwarded-headers.ts";
import { changeHeaders, type CompiledHeaderChanges } from "./header-changes.ts";
import type { HttpContext } from "./http-context.ts";
import { sendLocalReply, type LocalReply } from "./local-reply.ts";
import type { RequestBody } from "./request-body.ts";
import { usableTrailers, withoutDecided } from "./trailers.ts";

/** Whoever is working on a request. */
export interface Work {
  /** Stop: nobody waits for it any more. */
  cancel(): void;
  onClientDrain?(): void;
}

export class Transaction implements ExchangeObserver {
  readonly context: HttpContext;
  readonly exchange: Exchange;
  readonly requestId: string;
  readonly #startedAt: number;
  #deadline: NodeJS.Timeout | undefined;
  #silence: NodeJS.Timeout | undefined;
  #over = false;
  #status = 0;

  compiled: CompiledAction | undefined;
  /** Keys for the log. */
  backend: string | undefined;
  endpoint: string | undefined;

  body: RequestBody | undefined;
  work: Work | undefined;

  /** What is done to the answer, whoever gives it. */
  cors: readonly HeaderValue[] | undefined;
  backendHeaders: CompiledHeaderChanges | undefined;
  /** Appended last: a session's token, what an authorization server wants the client to get. */
  extraHeaders: HeaderList | undefined;

  constructor(context: HttpContext, exchange: Exchange) {
    this.context = context;
    this.exchange = exchange;
    this.requestId = requestIdOf(exchange.request);
    this.#startedAt = context.now();
    exchange.observer = this;
  }

  get action(): RuleAction {
    return this.compiled!.action;
  }

  get isOver(): boolean {
    return this.#over;
  }

  startDeadline(timeout: number): void {
    this.#deadline = setTimeout(() => this.#onDeadline(), timeout);
  }

  /** A tunnel lives on its own time. */
  stopDeadline(): void {
    clearTimeout(this.#deadline);
  }

  /** Gives up when nothing moves in either direction for so long. */
  watchSilence(timeout: number): void {
    this.#silence = setTimeout(() => this.#onSilence(), timeout);
  }

  /** Something moved. */
  moved(): void {
    this.#silence?.refresh();
  }

  /** A tunnel watches for itself. */
  stopWatchingSilence(): void {
    clearTimeout(this.#silence);
    this.#silence = undefined;
  }

  reply(reply: LocalReply): void {
    if (this.#over) return;
    const headers = this.#decorated(reply.headers?.slice() ?? []);
    this.#status = reply.status;
    sendLocalReply(this.exchange, { ...reply, headers });
    this.finish();
  }

  /** Somebody else's whole answer. */
  replyWith(status: number, headers: HeaderList, body: Buffer): void {
    if (this.#over) return;
    const hasBody = body.length > 0 && this.exchange.request.method !== "HEAD";
    const given =
      status === 204 || status === 304 ? headers : [...headers, "content-length", String(body.length)];
    this.sendHead(status, given, hasBody ? "length" : "none");
    if (hasBody) this.exchange.sendData(body, true);
    this.exchange.sendEnd();
    this.finish();
  }

  sendHead(status: number, headers: HeaderList, body: AnswerBody): void {
    this.#status = status;
    this.#silence?.refresh();
    this.exchange.sendHead(status, this.#decorated(headers), body);
  }

  sendInformational(status: number, headers: HeaderList): void {
    this.exchange.sendInformational(status, withoutDecided(headers, this.#isDecided) ?? []);
  }

  sendEnd(trailers: HeaderList | undefined): void {
    this.exchange.sendEnd(withoutDecided(usableTrailers(trailers), this.#isDecided));
  }

  /** The headers of a 101. */
  upgradeHeaders(headers: HeaderList): HeaderList {
    this.#status = 101;
    return this.#decorated(headers);
  }

  /** The answer cannot be finished. */
  abort(): void {
    if (this.#over) return;
    this.exchange.reset();
    this.finish();
  }

  finish(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#deadline);
    if (this.#silence) this.stopWatchingSilence();
    this.work = undefined;
    const { context, exchange, compiled } = this;
    context.metrics.activeRequests--;
    context.metrics.count(exchange.client.listener.key, compiled?.route ?? "", this.#status);
    if (context.log) this.#writeLog();
  }

  onBodyData(chunk: Buffer): void {
    if (this.#over) return;
    this.#silence?.refresh();
    if (this.body?.onData(chunk) !== false) return;
    this.work?.cancel();
    if (this.exchange.headSent) this.abort();
    else this.reply(tooLarge);
  }

  onBodyEnd(trailers: HeaderList | undefined): void {
    if (!this.#over) this.body?.onEnd(usableTrailers(trailers));
  }

  onClientDrain(): void {
    this.#silence?.refresh();
    this.work?.onClientDrain?.();
  }

  onClientGone(): void {
    this.work?.cancel();
    this.finish();
  }

  #decorated(headers: HeaderList): HeaderList {
    let result = headers;
    if (this.cors) result = addCorsHeaders(result, this.cors);
    if (this.backendHeaders) result = changeHeaders(result, this.backendHeaders);
    if (this.compiled?.responseHeaders) result = changeHeaders(result, this.compiled.responseHeaders);
    if (this.extraHeaders) for (const part of this.extraHeaders) result.push(part);
    return result;
  }

  /** Whether a filter removes or replaces this header of answers. */
  readonly #isDecided = (name: string): boolean =>
    this.backendHeaders?.drop.has(name) === true || this.compiled?.responseHeaders?.drop.has(name) === true;

  #onDeadline(): void {
    this.work?.cancel();
    if (this.exchange.headSent) this.abort();
    else this.reply({ status: 504, text: "the request took too long" });
  }

  #onSilence(): void {
    const isClients = this.body !== undefined && !this.body.ended;
    this.work?.cancel();
    if (this.exchange.headSent) this.abort();
    else if (isClients) this.reply({ status: 408, text: "the request was not sent to its end" });
    else this.reply({ status: 504, text: "the backend took too long" });
  }

  #writeLog(): void {
    const { exchange, compiled, context } = this;
    const { client, request } = exchange;
    const { listener } = client;
    context.log!({
      time: new Date(this.#startedAt).toISOString(),
      gateway: listener.gateway,
      listener: listener.key,
      ...(compiled ? { route: compiled.route, rule: compiled.rule } : {}),
      method: request.method,
      host: request.host,
      path: request.path,
      protocol: request.version === "HTTP/2.0" ? "HTTP/2" : request.version,
      status: this.#status,
      bytesIn: exchange.bytesIn,
      bytesOut: exchange.bytesOut,
      durationMs: context.now() - this.#startedAt,
      ...(this.backend === undefined ? {} : { backend: this.backend }),
      ...(this.endpoint === undefined ? {} : { endpoint: this.endpoint }),
      clientAddress: client.address,
      requestId: this.requestId,
    });
  }
}
