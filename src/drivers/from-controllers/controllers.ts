import type {
  Backend,
  Certificate,
  Endpoint,
  Listener,
  ServerName,
  StreamRoute,
  VirtualHost,
} from "../../model/index.ts";
import type { BoundAddress } from "../driver.ts";

/*
 * Four small interfaces for a data plane that would rather be called than keep books: the core decides when, the
 * data plane decides how. Names are the keys of the model; those of routes have the route's type in front, because a
 * server name and a virtual host may have the same key. What a method does is in force when it resolves. A method that throws
 * or rejects is called again, with what is wanted by then, until it works or there is nothing left to do.
 */

type Answer<T = void> = T | Promise<T>;

export interface ListenerController {
  /** Answers with the addresses by which clients reach it, if it knows them. */
  addListener(name: string, listener: Listener): Answer<readonly BoundAddress[] | void>;
  updateListener(name: string, listener: Listener): Answer<readonly BoundAddress[] | void>;
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

/** A route comes after its listener, its certificates and its backends, and goes before them. */
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
