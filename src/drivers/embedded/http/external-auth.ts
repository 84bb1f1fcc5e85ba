/*
 * External authorization: a server is asked before the request goes on. Anything but a clear yes refuses the request:
 * no backend, no endpoint, no connection, no answer in time, an answer that cannot be read, an answer of 5xx.
 * What is asked and what counts as a yes is in `external-auth-http.ts` and `external-auth-grpc.ts`.
 */
import type { HeaderList, UpstreamCall, UpstreamHandler } from "../upstream/index.ts";
import {
  misconfigured,
  unavailable,
  type AuthAnswer,
  type AuthDecision,
  type AuthQuestion,
} from "./auth-decision.ts";
import { grpcMessage, grpcRequest, judgeGrpc } from "./external-auth-grpc.ts";
import { httpRequest, judgeHttp } from "./external-auth-http.ts";
import type { HttpContext } from "./http-context.ts";

const nothing = Buffer.alloc(0);

/** Asks, and calls back once. The result ends the question early. */
export function askAuthorization(
  context: HttpContext,
  question: AuthQuestion,
  done: (decision: AuthDecision) => void,
): { cancel(): void } {
  const { target, protocol } = question.auth;
  const backend = target.type === "backend" ? context.tables.backend(target.backend) : undefined;
  const endpoint = backend?.pick();
  if (!backend || !endpoint) {
    done(target.type === "error" ? misconfigured : unavailable);
    return { cancel() {} };
  }
  const isGrpc = protocol === "grpc";
  const check = new AuthCheck(context.limits.maxAuthBodyBytes, (answer) => {
    clearTimeout(timer);
    done(answer ? (isGrpc ? judgeGrpc(answer) : judgeHttp(question.auth, answer)) : unavailable);
  });
  const timer = setTimeout(() => check.fail(), context.limits.authTimeout);
  const message = isGrpc ? grpcMessage(question, context.now()) : (question.body ?? nothing);
  const request = isGrpc
    ? grpcRequest(backend, message, context.limits.authTimeout)
    : httpRequest(question, backend, message);
  check.call = endpoint.call(request, check, isGrpc || backend.speaksHttp2 ? "h2" : "http/1.1");
  if (message.length > 0) {
    check.call.write(message);
    check.call.end();
  }
  return {
    cancel() {
      clearTimeout(timer);
      check.cancel();
    },
  };
}

/** One call to an authorization server, whose whole answer is wanted. */
class AuthCheck implements UpstreamHandler {
  readonly #limit: number;
  readonly #done: (answer: AuthAnswer | undefined) => void;
  #over = false;
  #status = 0;
  #headers: HeaderList = [];
  #chunks: Buffer[] = [];
  #size = 0;
  call: UpstreamCall | undefined;

  constructor(limit: number, done: (answer: AuthAnswer | undefined) => void) {
    this.#limit = limit;
    this.#done = done;
  }

  onInformational(): void {}
  onDrain(): void {}

  onHead(status: number, headers: HeaderList): void {
    this.#status = status;
    this.#headers = headers;
  }

  onData(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#limit) this.fail();
    else this.#chunks.push(chunk);
  }

  onEnd(trailers: HeaderList | undefined): void {
    this.#finish({
      status: this.#status,
      headers: this.#headers,
      trailers,
      body: Buffer.concat(this.#chunks),
    });
  }

  onUpgrade(_headers: HeaderList, tunnel: { destroy(): void }): void {
    tunnel.destroy();
    this.#finish(undefined);
  }

  onError(): void {
    this.#finish(undefined);
  }

  fail(): void {
    this.call?.abort();
    this.#finish(undefined);
  }

  cancel(): void {
    this.#over = true;
    this.call?.abort();
  }

  #finish(answer: AuthAnswer | undefined): void {
    if (this.#over) return;
    this.#over = true;
    this.#done(answer);
  }
}
