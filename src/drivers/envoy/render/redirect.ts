/*
 * Redirects. Envoy shows a port if it is told to, and else keeps what the request's Host had. So a port that must not be shown is
 * one that Envoy is not told, and what the Host had is taken off Location by a script: `stripsPort` says where it is needed.
 */
import type { Redirect } from "../../../model/index.ts";
import type { RedirectAction } from "../generated/messages.ts";
import { renderPathChange } from "./path-change.ts";

export interface RedirectedListener {
  readonly scheme: "http" | "https";
  /** The port that clients connect to. */
  readonly port: number;
}

const ownPort = { http: 80, https: 443 } as const;

const responseCodes = {
  301: "MOVED_PERMANENTLY",
  302: "FOUND",
  303: "SEE_OTHER",
  307: "TEMPORARY_REDIRECT",
  308: "PERMANENT_REDIRECT",
} as const;

export function renderRedirect(redirect: Redirect, listener: RedirectedListener): RedirectAction {
  const shown = shownPort(redirect, listener);
  return {
    schemeRedirect: redirect.scheme ?? listener.scheme,
    ...(redirect.hostname === undefined ? {} : { hostRedirect: redirect.hostname }),
    ...(shown === undefined ? {} : { portRedirect: shown }),
    ...renderPath(redirect),
    responseCode: responseCodes[redirect.statusCode],
  };
}

export function stripsPort(redirect: Redirect, listener: RedirectedListener): boolean {
  return redirect.hostname === undefined && shownPort(redirect, listener) === undefined;
}

function shownPort(redirect: Redirect, listener: RedirectedListener): number | undefined {
  const port = redirect.port === "listener" ? listener.port : redirect.port;
  return port === ownPort[redirect.scheme ?? listener.scheme] ? undefined : port;
}

function renderPath({ path }: Redirect): Pick<RedirectAction, "regexRewrite"> {
  const regexRewrite = path && renderPathChange(path);
  return regexRewrite ? { regexRewrite } : {};
}
