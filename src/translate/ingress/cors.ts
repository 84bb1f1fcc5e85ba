// Annotation enable-cors and those that go with it.
//
// ingress-nginx answers `*` for all origins beside `Access-Control-Allow-Credentials: true`, which browsers refuse to use with credentials. Here an origin is answered with itself,
// which browsers do use: so credentials are allowed only to origins that are named.

import { httpMethods, type HTTPCORSFilter } from "../../resources/index.ts";
import { fieldOf, type Annotations } from "./annotations.ts";
import type { RemarkList } from "./remark-list.ts";

const defaultMethods = ["GET", "PUT", "POST", "DELETE", "PATCH", "OPTIONS"] as const;
const defaultHeaders = [
  "DNT",
  "Keep-Alive",
  "User-Agent",
  "X-Requested-With",
  "If-Modified-Since",
  "Cache-Control",
  "Content-Type",
  "Range",
  "Authorization",
];
const methods = [...httpMethods, "*"] as const;
const defaultMaxAge = 1_728_000;
const origin = /^(?:\*|https?:\/\/(?:\*\.)?[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?::[0-9]{1,5})?)$/;
const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,256}$/;

export function judgeCors(annotations: Annotations, remarks: RemarkList): HTTPCORSFilter | undefined {
  if (annotations.flag("enable-cors") !== true) return undefined;
  const chosen = <T extends string>(
    name: string,
    is: (text: string) => text is T,
  ): readonly T[] | undefined => chosenOf(annotations, name, is);
  const origins = chosen("cors-allow-origin", (text): text is string => origin.test(text));
  if (origins === undefined && annotations.text("cors-allow-origin") !== undefined) return undefined;
  const allowOrigins = origins ?? ["*"];
  const wantsCredentials = annotations.flag("cors-allow-credentials");
  const allowsAll = allowOrigins.includes("*");
  if (allowsAll && wantsCredentials === true)
    remarks.warn(
      "CredentialsLeftOut",
      fieldOf("cors-allow-credentials"),
      "credentials are not allowed to all origins; name them in cors-allow-origin",
    );
  const isName = (text: string): text is string => headerName.test(text);
  const isMethod = (text: string): text is (typeof methods)[number] => methods.includes(text as "GET");
  const exposed = chosen("cors-expose-headers", isName);
  return {
    allowOrigins: allowsAll ? ["*"] : allowOrigins,
    allowCredentials: !allowsAll && wantsCredentials !== false,
    allowMethods: aloneIfAll(chosen("cors-allow-methods", isMethod) ?? defaultMethods),
    allowHeaders: aloneIfAll(chosen("cors-allow-headers", isName) ?? defaultHeaders),
    ...(exposed && { exposeHeaders: exposed }),
    maxAge: annotations.count("cors-max-age", { least: 1, most: 2 ** 31 - 1 }) ?? defaultMaxAge,
  };
}

function chosenOf<T extends string>(
  annotations: Annotations,
  name: string,
  is: (text: string) => text is T,
): readonly T[] | undefined {
  const given = annotations.list(name);
  const good = [...new Set(given)].filter(is);
  if (given && good.length < new Set(given).size)
    annotations.unreadable(name, "has items that cannot be read");
  return good.length > 0 ? good.slice(0, 64) : undefined;
}

function aloneIfAll<T extends string>(values: readonly T[]): readonly T[] {
  return values.length > 1 && values.includes("*" as T) ? ["*" as T] : values;
}
