/*
 * What happens to a request, step by step: route, admit, answer CORS pre-flights, ask for authorization, redirect, choose a backend,
 * do the same with the filters of that backend, change the headers, mirror, forward. Each step either goes on to the
 * next or answers.
 *
 * The order is fixed: authorization sees the request as the client sent it (with the path that was matched), and what a
 * filter changes is seen by the backend only.
 */
import { randomBytes } from "node:crypto";
import {
  changePath,
  judgeCors,
  redirectLocation,
  type CorsPolicy,
  type ExternalAuth,
  type Redirect,
} from "../../../model/index.ts";
import type { HeaderList, UpstreamBackend, UpstreamEndpoint, UpstreamRequest } from "../upstream/index.ts";
import { compileAction, type CompiledBackend } from "./compiled-rule.ts";
import type { Exchange } from "./exchange.ts";
import type { AuthDecision } from "./auth-decision.ts";
import { askAuthorization } from "./external-auth.ts";
import { forwardedHeaders } from "./forwarded-headers.ts";
import { Forwarding } from "./forward.ts";
import { changeHeaders, withoutHeaders } from "./header-changes.ts";
import type { HttpContext } from "./http-context.ts";
import { startMirrors } from "./mirror.ts";
import type { MirrorShare } from "./mirror-share.ts";
import { RequestBody } from "./request-body.ts";
import { routeRequest } from "./routing.ts";
import { sessionTokensOf } from "./session-persistence.ts";
import { Transaction } from "./transaction.ts";

export function serveRequest(context: HttpContext, exchange: Exchange): void {
  context.metrics.activeRequests++;
  const transaction = new Transaction(context, exchange);
  const { request, client } = exchange;
  const verdict = routeRequest(context.tables.virtualHosts(client.listener.key), request, client.section);
  if (verdict.type === "misdirected") {
    transaction.reply({ status: 421, text: "this connection is not for that host" });
    return;
  }
  if (verdict.type === "not found") {
    transaction.reply({ status: 404, text: "no route for this request" });
    return;
  }
  if (verdict.type === "too costly") {
    transaction.reply({ status: 400, text: "the request takes too long to match" });
    return;
  }
  const { action } = verdict.rule;
  const compiled = compileAction(action);
  transaction.compiled = compiled;
  const refusal = compiled.admission?.judge(exchange, performance.now());
  if (refusal) {
    transaction.reply(refusal);
    return;
  }
  const { timeouts } = action;
  if (timeouts.request) transaction.startDeadline(timeouts.request);
  if (timeouts.idle) transaction.watchSilence(timeouts.idle);
  if (request.body !== "none" && request.body !== 0) {
    const bytes = bytesToKeep(context, action.auth, action.backends);
    transaction.body = new RequestBody(exchange, bytes, action.maxBodySize);
  }
  new RequestSteps(transaction).start();
}

function bytesToKeep(
  context: HttpContext,
  auth: ExternalAuth | undefined,
  backends: readonly { readonly auth?: ExternalAuth }[],
): number {
  let bytes = Math.max(context.limits.maxReplayBytes, auth?.maxBodySize ?? 0);
  for (const backend of backends) if (backend.auth) bytes = Math.max(bytes, backend.auth.maxBodySize);
  return bytes;
}

class RequestSteps {
  readonly #transaction: Transaction;
  /** On their way to the backend, changed step by step. */
  #headers: HeaderList;
  /** Names of headers that authorization servers have decided about. */
  #authorized: ReadonlySet<string> | undefined;

  constructor(transaction: Transaction) {
    this.#transaction = transaction;
    const { exchange, requestId } = transaction;
    this.#headers = forwardedHeaders(exchange.request, exchange.client, requestId);
  }

  start(): void {
    const { action } = this.#transaction;
    if (action.cors && this.#answersCors(action.cors)) return;
    if (action.auth) this.#authorize(action.auth, () => this.#afterAuthorization());
    else this.#afterAuthorization();
  }

  #afterAuthorization(): void {
    const transaction = this.#transaction;
    const { action, compiled } = transaction;
    if (action.redirect) {
      this.#redirect(action.redirect);
      return;
    }
    const session = this.#sessionTarget();
    const chosen = session?.chosen ?? compiled!.turns.next();
    if (!chosen) {
      transaction.reply({ status: 500, text: "the route has no backends" });
      return;
    }
    const { backend } = chosen;
    transaction.backendHeaders = chosen.responseHeaders;
    if (backend.cors && this.#answersCors(backend.cors)) return;
    if (backend.auth) this.#authorize(backend.auth, () => this.#forward(chosen, session?.endpoint));
    else this.#forward(chosen, session?.endpoint);
  }

  #forward(chosen: CompiledBackend, sessionEndpoint: UpstreamEndpoint | undefined): void {
    const transaction = this.#transaction;
    const { context } = transaction;
    const { target, redirect } = chosen.backend;
    if (redirect) {
      this.#redirect(redirect);
      return;
    }
    if (target.type === "error") {
      transaction.reply({ status: target.status, text: "a backend of the route is not usable" });
      return;
    }
    transaction.backend = target.backend;
    const backend = context.tables.backend(target.backend);
    if (!backend || backend.endpoints.length === 0) {
      transaction.reply({ status: 503, text: "the backend has no endpoints" });
      return;
    }
    const request = this.#upstreamRequest(chosen, backend);
    const mirrors =
      request.upgrade === undefined
        ? this.#startMirrors([...transaction.compiled!.mirrors, ...chosen.mirrors], request)
        : [];
    new Forwarding({ transaction, backend, request, sessionEndpoint, mirrors }).start();
  }

  #upstreamRequest(chosen: CompiledBackend, backend: UpstreamBackend): UpstreamRequest {
    const { exchange, action, compiled, body } = this.#transaction;
    const { request } = exchange;
    const rules = compiled!.requestHeaders;
    let headers = changeHeaders(this.#headers, rules);
    headers = changeHeaders(headers, chosen.requestHeaders);
    if (body) {
      const authorized = this.#authorized;
      const own = chosen.requestHeaders;
      body.isDecided = (name) =>
        authorized?.has(name) === true || rules?.drop.has(name) === true || own?.drop.has(name) === true;
    }
    const ruleRewrite = action.rewrite;
    const { rewrite } = chosen.backend;
    let path = ruleRewrite?.path ? changePath(request.path, ruleRewrite.path) : request.path;
    if (rewrite?.path) path = changePath(path, rewrite.path);
    const authority =
      chosen.requestHeaders?.host ??
      rewrite?.hostname ??
      rules?.host ??
      ruleRewrite?.hostname ??
      request.authority;

    const speaksHttp2 = backend.speaksHttp2 || action.protocol === "grpc";
    const upgrade = request.upgrade;
    if (speaksHttp2 && upgrade === undefined) {
      if (request.acceptsTrailers) headers.push("te", "trailers");
      if (request.expectsContinue) exchange.sendInformational(100, []);
    } else if (request.expectsContinue && request.body !== "none" && !body?.ended) {
      headers.push("expect", "100-continue");
    }
    // RFC 8441 has no key: the one HTTP/1.1 handshake that is left is between gateway and backend.
    if (upgrade !== undefined && request.version === "HTTP/2.0") {
      headers.push("sec-websocket-key", randomBytes(16).toString("base64"));
    }
    return {
      method: request.method,
      scheme: backend.scheme,
      authority,
      path: `${path}${request.search}`,
      headers,
      body: request.body,
      ...(upgrade === undefined ? {} : { upgrade }),
    };
  }

  #startMirrors(shares: readonly MirrorShare[], request: UpstreamRequest): { abort(): void }[] {
    if (shares.length === 0) return [];
    const { context, body, action } = this.#transaction;
    return startMirrors(context, shares, request, body, action.protocol === "grpc");
  }

  /** True: it was a pre-flight request, which is answered now. */
  #answersCors(policy: CorsPolicy): boolean {
    const transaction = this.#transaction;
    const { request } = transaction.exchange;
    const verdict = judgeCors(policy, {
      method: request.method,
      origin: request.header("origin"),
      requestMethod: request.header("access-control-request-method"),
      requestHeaders: request.header("access-control-request-headers"),
    });
    if (verdict.type === "not applicable") return false;
    transaction.cors = verdict.headers;
    if (verdict.type !== "preflight") return false;
    transaction.reply({ status: verdict.status, text: "" });
    return true;
  }

  #authorize(auth: ExternalAuth, goOn: () => void): void {
    const transaction = this.#transaction;
    const { body } = transaction;
    if (!body || auth.maxBodySize === 0) {
      this.#ask(auth, undefined, goOn);
      return;
    }
    const declared = transaction.exchange.request.body;
    const tooLarge = { status: 413, text: "the body is larger than the authorization of this route allows" };
    if (typeof declared === "number" && declared > auth.maxBodySize) {
      transaction.reply(tooLarge);
      return;
    }
    body.collect(auth.maxBodySize, (isWhole) => {
      if (transaction.isOver) return;
      if (isWhole) this.#ask(auth, body.bytes, goOn);
      else transaction.reply(tooLarge);
    });
  }

  #ask(auth: ExternalAuth, body: Buffer | undefined, goOn: () => void): void {
    const transaction = this.#transaction;
    const { context, exchange, requestId } = transaction;
    const question = {
      auth,
      client: exchange.client,
      request: exchange.request,
      headers: this.#headers,
      requestId,
      body,
    };
    transaction.work = askAuthorization(context, question, (decision: AuthDecision) => {
      transaction.work = undefined;
      if (transaction.isOver) return;
      if (decision.type === "denied") {
        this.#deny(decision);
        return;
      }
      this.#authorized = new Set([...(this.#authorized ?? []), ...decision.remove]);
      this.#headers = withoutHeaders(this.#headers, decision.remove);
      this.#headers.push(...decision.append);
      if (decision.responseHeaders.length > 0) transaction.extraHeaders = [...decision.responseHeaders];
      goOn();
    });
  }

  #deny(decision: AuthDecision & { readonly type: "denied" }): void {
    const transaction = this.#transaction;
    if (transaction.exchange.request.isGrpc) {
      transaction.reply({ status: decision.status, text: "the request is not authorized" });
    } else {
      transaction.replyWith(decision.status, decision.headers.slice(), decision.body);
    }
  }

  #redirect(redirect: Redirect): void {
    const transaction = this.#transaction;
    const { exchange, context } = transaction;
    const { client, request } = exchange;
    const { gateway } = client.listener;
    const port = redirect.port === "listener" ? client.listener.port : redirect.port;
    const location = redirectLocation(
      { ...redirect, port: context.tables.portFor(gateway, port) },
      {
        scheme: client.scheme,
        host: request.host,
        listenerPort: client.listener.port,
        path: request.path,
        query: request.query,
      },
    );
    transaction.reply({ status: redirect.statusCode, text: "", headers: ["location", location] });
  }

  /** The backend and endpoint that the client's session belongs to, if both are still there. */
  #sessionTarget(): { readonly chosen: CompiledBackend; readonly endpoint: UpstreamEndpoint } | undefined {
    const { context, action, compiled, exchange } = this.#transaction;
    const { session } = action;
    if (!session) return undefined;
    const tokens = sessionTokensOf(session, exchange.request);
    if (tokens.length === 0) return undefined;
    const chosenOf = new Map<UpstreamBackend, CompiledBackend>();
    for (const candidate of compiled!.backends) {
      const { target } = candidate.backend;
      const backend = target.type === "backend" ? context.tables.backend(target.backend) : undefined;
      if (backend) chosenOf.set(backend, candidate);
    }
    const now = context.now();
    for (const token of tokens) {
      const target = context.sessions.read(session, token, chosenOf.keys(), now);
      if (target?.endpoint.isReachable(Date.now())) {
        return { chosen: chosenOf.get(target.backend)!, endpoint: target.endpoint };
      }
    }
    return undefined;
  }
}
