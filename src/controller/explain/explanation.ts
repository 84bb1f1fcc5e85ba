import type { Listener, RouteRule } from "../../model/index.ts";

/** What would happen to one request, and every decision on the way. */
export interface Explanation {
  readonly request: ExplainedRequest;
  /** One for each Gateway that has the port; none where the search ended before. */
  readonly walks: readonly Walk[];
  /** Of the only walk; where there are several, of the first that leads to a route. */
  readonly outcome: Outcome;
}

/** As it was asked for, and how it is understood as far as that can be told. */
export interface ExplainedRequest {
  readonly method: string;
  readonly url: string;
  /** Of the Host header or `:authority`. */
  readonly host?: string;
  /** In the TLS handshake; absent without TLS, and for addresses. */
  readonly serverName?: string;
  readonly port?: number;
  /** As rules see it: normalised. */
  readonly path?: string;
  readonly query?: string;
}

/** The way of the request through one Gateway. */
export interface Walk {
  /** `namespace/name`; absent where no Gateway was reached. */
  readonly gateway?: string;
  readonly steps: readonly Step[];
  readonly outcome: Outcome;
}

/** One decision. */
export interface Step {
  readonly about:
    | "request"
    | "listener"
    | "server name"
    | "virtual host"
    | "rule"
    | "condition"
    | "filter"
    | "backend"
    | "endpoint"
    | "advice";
  /** `yes`: the way goes on here. `no`: it does not. `note`: by the way. `trouble`: somebody should look at this. */
  readonly mark: "yes" | "no" | "note" | "trouble";
  readonly text: string;
  readonly steps?: readonly Step[];
}

export type Outcome =
  | {
      readonly type: "forwarded";
      readonly route: RouteRule;
      /** What the backend sees, before what a single backend's own filters change. */
      readonly request: { readonly method: string; readonly host: string; readonly target: string };
      readonly backends: readonly OutcomeBackend[];
    }
  | {
      readonly type: "redirected";
      readonly route: RouteRule;
      readonly status: number;
      readonly location: string;
    }
  /** The gateway answers by itself. */
  | {
      readonly type: "answered";
      readonly status: number;
      /** To gRPC clients errors are told on HTTP 200. */
      readonly grpcStatus?: { readonly code: number; readonly name: string };
      readonly reason: string;
      readonly route?: RouteRule;
    }
  /** Bytes are copied, nobody looks into them. */
  | {
      readonly type: "relayed";
      readonly transport: Listener["transport"];
      readonly route: RouteRule;
      readonly backends: readonly OutcomeBackend[];
    }
  /** There is no answer: nothing listens, or the connection ends. */
  | { readonly type: "not connected"; readonly reason: string };

export interface OutcomeBackend {
  /** `Service/shop/cart/8080`; absent where there is none and requests get 500. */
  readonly backend?: string;
  /** Of all requests, from 0 to 1. */
  readonly share: number;
  /** `address:port` */
  readonly endpoints: readonly string[];
  readonly problem?: string;
}
