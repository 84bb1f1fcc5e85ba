/*
 * A copy of a request that goes to another backend, whose answer nobody reads. It shares the body's chunks and must never
 * slow the request down: if its backend takes them too slowly, it is given up.
 */
import type { UpstreamCall, UpstreamError, UpstreamHandler, UpstreamRequest } from "../upstream/index.ts";
import type { HttpContext } from "./http-context.ts";
import type { MirrorShare } from "./mirror-share.ts";
import type { BodySink, RequestBody } from "./request-body.ts";

class MirrorCall implements UpstreamHandler, BodySink {
  readonly #context: HttpContext;
  call: UpstreamCall | undefined;

  constructor(context: HttpContext) {
    this.#context = context;
  }

  write(chunk: Buffer): boolean {
    const { call } = this;
    if (!call) return true;
    call.write(chunk);
    if (call.pendingBytes > this.#context.limits.maxMirrorLagBytes) {
      this.#context.metrics.mirrorsGivenUp++;
      this.abort();
    }
    return true;
  }

  end(trailers?: string[]): void {
    this.call?.end(trailers);
  }

  abort(): void {
    this.call?.abort();
    this.call = undefined;
  }

  onInformational(): void {}
  onHead(): void {}
  onData(): void {}
  onDrain(): void {}

  onEnd(): void {
    this.call = undefined;
  }

  onUpgrade(_headers: string[], tunnel: { destroy(): void }): void {
    this.call = undefined;
    tunnel.destroy();
  }

  onError(_error: UpstreamError): void {
    this.call = undefined;
  }
}

/** Sends the mirrors whose turn it is. Gives what has to be aborted if the request does not come to its end. */
export function startMirrors(
  context: HttpContext,
  shares: readonly MirrorShare[],
  request: UpstreamRequest,
  body: RequestBody | undefined,
  isGrpc: boolean,
): { abort(): void }[] {
  const started: MirrorCall[] = [];
  for (const share of shares) {
    if (!share.take()) continue;
    const { target } = share.mirror;
    const backend = target.type === "backend" ? context.tables.backend(target.backend) : undefined;
    const endpoint = backend?.pick();
    if (!backend || !endpoint) continue;
    const mirror = new MirrorCall(context);
    const protocol = backend.speaksHttp2 || isGrpc ? "h2" : "http/1.1";
    const copy = { ...request, scheme: backend.scheme, headers: request.headers.slice() };
    mirror.call = endpoint.call(copy, mirror, protocol);
    body?.tap(mirror);
    context.metrics.mirrored++;
    started.push(mirror);
  }
  return started;
}
