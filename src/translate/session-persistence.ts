// Sessions: a client that comes back is sent to the endpoint that it had before (GEP-1619).
//
// A session belongs to one rule: two rules never share one, so a session without a name gets one made from the rule's own.
// A cookie is bound to the path that the rule matches; one that comes from a policy is bound to none.

import { createHash } from "node:crypto";
import type { PathMatch, SessionPersistence as ModelSession } from "../model/index.ts";
import { isFieldName, parseDuration, type SessionPersistence } from "../resources/index.ts";
import { unsupported, type Refusal } from "./content-problems.ts";
import { isReservedHeader } from "./reserved-headers.ts";

/** What is wrong with it, beyond what the schema sees. */
export function judgeSession(session: SessionPersistence, field: string): Refusal | undefined {
  const { sessionName, absoluteTimeout, cookieConfig } = session;
  if (sessionName !== undefined && !isFieldName(sessionName)) {
    return unsupported(
      `${field}.sessionName`,
      "must be a name that cookies and headers can have: letters, digits and !#$%&'*+-.^_`|~",
    );
  }
  if (
    session.type === "Header" &&
    sessionName !== undefined &&
    (isReservedHeader(sessionName) || otherMeanings.has(sessionName.toLowerCase()))
  ) {
    return unsupported(`${field}.sessionName`, `${sessionName} has a meaning of its own; use another header`);
  }
  const timeout = absoluteTimeout === undefined ? undefined : parseDuration(absoluteTimeout);
  if (absoluteTimeout !== undefined && !timeout) {
    return unsupported(`${field}.absoluteTimeout`, "must be a duration longer than 0s, such as 1h");
  }
  if (cookieConfig?.lifetimeType === "Permanent" && timeout === undefined) {
    return unsupported(`${field}.absoluteTimeout`, "is required for permanent cookies");
  }
  return undefined;
}

const otherMeanings: ReadonlySet<string> = new Set(["cookie", "set-cookie", "authorization"]);

/** `rule` is what the session belongs to; `path` is a cookie's Path, empty for none. */
export function translateSession(session: SessionPersistence, rule: string, path: string): ModelSession {
  const { sessionName, absoluteTimeout, cookieConfig } = session;
  const type = session.type === "Header" ? "header" : "cookie";
  const given = sessionName === undefined || sessionName === "" ? generatedName(type, rule) : sessionName;
  const timeout = absoluteTimeout === undefined ? undefined : parseDuration(absoluteTimeout);
  return {
    type,
    name: type === "header" ? given.toLowerCase() : given,
    ...(timeout !== undefined && { absoluteTimeout: timeout }),
    lifetime: cookieConfig?.lifetimeType === "Permanent" ? "permanent" : "session",
    path: type === "header" ? "" : path,
  };
}

/**
 * GEP-1619: rules never share a session, not even one that a policy on their backend gives both, and its cookie has no path, because many
 * routes may lead there. So its name is made the rule's own; only a header keeps its name, for a client that must know it.
 */
export function translatePolicySession(session: SessionPersistence, rule: string): ModelSession {
  const { type, sessionName = "" } = session;
  const isShared = type === "Cookie" && sessionName !== "";
  const own = isShared ? { ...session, sessionName: `${sessionName}-${digestOf(rule)}` } : session;
  return translateSession(own, rule, "");
}

function generatedName(type: ModelSession["type"], rule: string): string {
  const digest = digestOf(rule);
  return type === "header" ? `x-gatewright-session-${digest}` : `gatewright-session-${digest}`;
}

function digestOf(rule: string): string {
  return createHash("sha256").update(rule).digest("hex").slice(0, 12);
}

/** GEP-1619: the path of the match; of a regular expression, the longest part that is no expression. */
export function cookiePath(match: PathMatch): string {
  const path = match.type === "regex" ? directoryOf(literalPrefix(match.value)) : match.value;
  // A semicolon would end the attribute, so the cookie is bound to the directory above.
  const end = path.search(/[;,]/);
  return end < 0 ? path : directoryOf(path.slice(0, end));
}

function directoryOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash <= 0 ? "/" : path.slice(0, slash);
}

/** The text that everything which matches begins with; it may be shorter than it could be. */
function literalPrefix(expression: string): string {
  if (hasAlternatives(expression)) return "";
  const text = expression.startsWith("^") ? expression.slice(1) : expression;
  const end = text.search(/[\\^$.|?*+()[\]{}]/);
  if (end < 0) return text;
  // What a quantifier follows may be missing.
  return text.slice(0, /[?*{]/.test(text.charAt(end)) ? end - 1 : end);
}

/** Whether there is a `|` outside of all groups. */
function hasAlternatives(expression: string): boolean {
  let depth = 0;
  let inClass = false;
  for (let i = 0; i < expression.length; i++) {
    const character = expression[i];
    if (character === "\\") i++;
    else if (inClass) inClass = character !== "]";
    else if (character === "[") inClass = true;
    else if (character === "(") depth++;
    else if (character === ")") depth--;
    else if (character === "|" && depth === 0) return true;
  }
  return false;
}
