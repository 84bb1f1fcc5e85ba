// Annotations permanent-redirect and temporal-redirect: all that the Ingress takes is sent elsewhere.

import type { HTTPRequestRedirectFilter } from "../../resources/index.ts";
import { fieldOf, type Annotations } from "./annotations.ts";
import type { RemarkList } from "./remark-list.ts";

const forms = [
  ["permanent-redirect", 301],
  ["temporal-redirect", 302],
] as const;

const codes = [301, 302, 303, 307, 308] as const;
type Code = (typeof codes)[number];

/** `https://example.com:8443/new`, `$scheme://example.com$request_uri`, `/new` */
const target =
  /^(?:(https?|\$scheme):\/\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::([1-9][0-9]{0,4}))?)?(\/[A-Za-z0-9\-._~!&'()*+,;=:@%/]*)?(\$request_uri|\$uri)?$/;

export type JudgedRedirect = { readonly filter: HTTPRequestRedirectFilter } | { readonly blocked: string };

export function judgeRedirect(annotations: Annotations, remarks: RemarkList): JudgedRedirect | undefined {
  for (const [name, usual] of forms) {
    const text = annotations.text(name);
    if (text === undefined) continue;
    const redirect = readTarget(text);
    if (!redirect) {
      const message = `${JSON.stringify(text)} is not a target that can be honoured: write https://HOST/PATH without a query, or https://HOST$request_uri`;
      remarks.error("InvalidAnnotation", fieldOf(name), message);
      return { blocked: `${fieldOf(name)} cannot be honoured` };
    }
    return { filter: { ...redirect, statusCode: codeOf(annotations, `${name}-code`) ?? usual } };
  }
  return undefined;
}

function codeOf(annotations: Annotations, name: string): Code | undefined {
  const text = annotations.text(name);
  const code = codes.find((one) => String(one) === text);
  return text === undefined || code
    ? code
    : annotations.unreadable(name, `must be one of ${codes.join(", ")}`);
}

function readTarget(text: string): Omit<HTTPRequestRedirectFilter, "statusCode"> | undefined {
  const parts = target.exec(text);
  if (!parts) return undefined;
  const [, scheme, hostname, port, path, rest] = parts;
  const keepsPath = rest !== undefined;
  if ((keepsPath && path !== undefined) || (scheme === undefined && path === undefined)) return undefined;
  if (port !== undefined && Number(port) > 65_535) return undefined;
  return {
    ...(scheme !== undefined && scheme !== "$scheme" && { scheme: scheme as "http" | "https" }),
    ...(hostname !== undefined && { hostname }),
    ...(port !== undefined && { port: Number(port) }),
    ...(!keepsPath && { path: { type: "ReplaceFullPath", replaceFullPath: path ?? "/" } as const }),
  };
}
