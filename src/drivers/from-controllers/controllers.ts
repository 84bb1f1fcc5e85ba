import type {
  Backend,
  Certificate,
  Endpoint,
  Listener,
  ServerName,
  StreamRoute,
  VirtualHost,
} from "../../model/index.ts";

/*
 * Four small interfaces for a data plane that would rather be called than keep books: the core decides when, the
 * data plane decides how. Names are the keys of the model. A method that rejects is tried again until it works or is no longer wanted.
 */

type Answer = void | Promise<void>;

export interface ListenerController {
  addListener(name: string, listener: Listener): Answer;
  updateListener(name: string, listener: Listener): Answer;
  removeListener(name: string): Answer;
}

export interface CertificateController {
  /** Also called with the new content when a certificate is renewed. */
  addCertificate(name: string, certificate: Certificate): Answer;
  removeCertificate(name: string): Answer;
}

/** What a listener does with its traffic: requests by host, connections by server name, or all of them. */
export type RouteConfiguration =
  | { readonly type: "virtual-host"; readonly virtualHost: VirtualHost }
  | { readonly type: "server-name"; readonly serverName: ServerName }
  | { readonly type: "stream"; readonly streamRoute: StreamRoute };

export interface RouteController {
  addRoute(name: string, listenerName: string, route: RouteConfiguration): Answer;
  updateRoute(name: string, listenerName: string, route: RouteConfiguration): Answer;
  removeRoute(name: string, listenerName: string): Answer;
}

export interface BackendController {
  /** `backend` says how to speak to the endpoints. A backend whose settings change is updated like one whose endpoints do. */
  addBackend(name: string, endpoints: readonly Endpoint[], backend: Backend): Answer;
  updateBackend(name: string, endpoints: readonly Endpoint[], backend: Backend): Answer;
  removeBackend(name: string): Answer;
}

export interface Controllers {
  readonly listeners: ListenerController;
  readonly certificates: CertificateController;
  readonly routes: RouteController;
  readonly backends: BackendController;
}
