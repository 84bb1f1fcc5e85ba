// What the annotations of an Ingress say of all that it takes, in the words of an HTTPRoute and of `RuleExtras`.

import {
  isHostname,
  type HTTPRequestRedirectFilter,
  type HTTPRouteFilter,
  type SessionPersistence,
} from "../../resources/index.ts";
import type { BackendExtras, RuleExtras } from "../layers.ts";
import { fieldOf, type Annotations } from "./annotations.ts";
import { judgeBodySize } from "./body-size.ts";
import { judgeAddresses } from "./client-addresses.ts";
import { judgeCors } from "./cors.ts";
import { judgeLoadBalancing } from "./load-balancing.ts";
import type { PathPolicies } from "./paths.ts";
import { judgeRedirect } from "./redirects.ts";
import type { RemarkList } from "./remark-list.ts";
import { judgeSession } from "./sessions.ts";

export interface Policies extends PathPolicies {
  /** Of every rule that has backends, beside what its path asks for. */
  readonly filters: readonly HTTPRouteFilter[];
  readonly hostRewrite: string | undefined;
  readonly session: SessionPersistence | undefined;
  /** Without `backend`, which is on its own below. */
  readonly extras: Pick<RuleExtras, "clientAddresses" | "maxBodySize" | "idleTimeout" | "blocked">;
  readonly backend: BackendExtras;
  /** Backends are spoken to with TLS, or not at all. */
  readonly needsTls: boolean;
  readonly redirect: HTTPRequestRedirectFilter | undefined;
  readonly appRoot: string | undefined;
  /** Names beside those of the rules. */
  readonly aliases: readonly string[];
  /** Annotation ssl-redirect; absent where the Ingress says nothing. */
  readonly sslRedirect: boolean | undefined;
  readonly forceSslRedirect: boolean;
}

export function judgePolicies(annotations: Annotations, remarks: RemarkList): Policies {
  const addresses = judgeAddresses(annotations, remarks);
  const redirect = judgeRedirect(annotations, remarks);
  const protocol = judgeProtocol(annotations, remarks);
  const blocked =
    annotations.judgeRoles() ??
    [addresses, redirect, protocol].flatMap((one) => (one && "blocked" in one ? [one.blocked] : []))[0];
  const clientAddresses = "clientAddresses" in addresses ? addresses.clientAddresses : undefined;
  const maxBodySize = judgeBodySize(annotations);
  const idleTimeout = judgeIdle(annotations);
  const connectTimeout = annotations.seconds("proxy-connect-timeout");
  const loadBalancing = judgeLoadBalancing(annotations);
  return {
    usesRegex: annotations.flag("use-regex") === true,
    rewriteTarget: annotations.text("rewrite-target"),
    filters: judgeFilters(annotations, remarks),
    hostRewrite: judgeHostRewrite(annotations),
    session: judgeSession(annotations),
    extras: {
      ...(clientAddresses && { clientAddresses }),
      ...(maxBodySize !== undefined && { maxBodySize }),
      ...(idleTimeout !== undefined && { idleTimeout }),
      ...(blocked !== undefined && { blocked }),
    },
    backend: {
      ...("protocol" in protocol && protocol.protocol !== undefined && { protocol: protocol.protocol }),
      ...(connectTimeout !== undefined && { connectTimeout }),
      ...(loadBalancing && { loadBalancing }),
    },
    needsTls: "needsTls" in protocol && protocol.needsTls,
    redirect: redirect && "filter" in redirect ? redirect.filter : undefined,
    appRoot: judgeAppRoot(annotations),
    aliases: judgeAliases(annotations),
    sslRedirect: annotations.flag("ssl-redirect"),
    forceSslRedirect: annotations.flag("force-ssl-redirect") === true,
  };
}

type JudgedProtocol =
  | { readonly protocol: "http" | "h2c" | undefined; readonly needsTls: boolean }
  | { readonly blocked: string };

const protocols: ReadonlyMap<string, JudgedProtocol> = new Map<string, JudgedProtocol>([
  ["HTTP", { protocol: undefined, needsTls: false }],
  ["AUTO_HTTP", { protocol: undefined, needsTls: false }],
  ["HTTPS", { protocol: "http", needsTls: true }],
  ["GRPC", { protocol: "h2c", needsTls: false }],
  ["GRPCS", { protocol: "h2c", needsTls: true }],
]);

function judgeProtocol(annotations: Annotations, remarks: RemarkList): JudgedProtocol {
  const text = annotations.text("backend-protocol");
  const known = protocols.get(text?.toUpperCase() ?? "HTTP");
  if (known) return known;
  const message = `${JSON.stringify(text)} cannot be spoken here; use HTTP, HTTPS, GRPC or GRPCS`;
  remarks.error("InvalidAnnotation", fieldOf("backend-protocol"), message);
  return { blocked: `${fieldOf("backend-protocol")} cannot be honoured` };
}

/** The longer of the two: a wait that one of them permits is not cut short by the other. */
function judgeIdle(annotations: Annotations): number | undefined {
  const given = [annotations.seconds("proxy-read-timeout"), annotations.seconds("proxy-send-timeout")];
  const times = given.filter((time) => time !== undefined);
  return times.length > 0 ? Math.max(...times) : undefined;
}

function judgeFilters(annotations: Annotations, remarks: RemarkList): readonly HTTPRouteFilter[] {
  const cors = judgeCors(annotations, remarks);
  const prefix = annotations.text("x-forwarded-prefix");
  const isPath = prefix !== undefined && /^[!-~]{1,1024}$/.test(prefix);
  if (prefix !== undefined && !isPath) annotations.unreadable("x-forwarded-prefix", "must be a path");
  return [
    ...(cors ? [{ type: "CORS", cors } as const] : []),
    ...(isPath
      ? [
          {
            type: "RequestHeaderModifier",
            requestHeaderModifier: { set: [{ name: "X-Forwarded-Prefix", value: prefix }] },
          } as const,
        ]
      : []),
  ];
}

function judgeHostRewrite(annotations: Annotations): string | undefined {
  const text = annotations.text("upstream-vhost");
  if (text === undefined) return undefined;
  const isName = isHostname(text) && !text.startsWith("*");
  return isName ? text : annotations.unreadable("upstream-vhost", "must be a DNS name");
}

function judgeAppRoot(annotations: Annotations): string | undefined {
  const text = annotations.text("app-root");
  if (text === undefined) return undefined;
  return /^\/[-A-Za-z0-9/._~!&'()*+,;=:@%]+$/.test(text)
    ? text
    : annotations.unreadable("app-root", "must be a path other than /");
}

function judgeAliases(annotations: Annotations): readonly string[] {
  const names = (annotations.list("server-alias") ?? []).map((name) => name.toLowerCase());
  const good = names.filter((name) => isHostname(name));
  if (good.length < names.length)
    annotations.unreadable("server-alias", "has names that are no DNS names, such as expressions");
  return good;
}
