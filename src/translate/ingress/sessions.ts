// Annotation affinity: a cookie leads a client back to the endpoint that it had.

import { formatDuration, isFieldName, type SessionPersistence } from "../../resources/index.ts";
import type { Annotations } from "./annotations.ts";

/** The name that clients of ingress-nginx have their cookies under. */
const defaultName = "INGRESSCOOKIE";

export function judgeSession(annotations: Annotations): SessionPersistence | undefined {
  const affinity = annotations.text("affinity");
  if (affinity === undefined) return undefined;
  if (affinity !== "cookie") return annotations.unreadable("affinity", "must be cookie");
  const name = annotations.text("session-cookie-name");
  const isGood = name === undefined || (isFieldName(name) && name.length <= 128);
  if (!isGood) annotations.unreadable("session-cookie-name", "must be a name that a cookie can have");
  const seconds = { least: 1, most: 99_999 * 3600 };
  const lifetime =
    annotations.count("session-cookie-max-age", seconds) ??
    annotations.count("session-cookie-expires", seconds);
  const absoluteTimeout = lifetime === undefined ? undefined : formatDuration(lifetime * 1000);
  return {
    sessionName: isGood && name !== undefined ? name : defaultName,
    type: "Cookie",
    ...(absoluteTimeout !== undefined && {
      absoluteTimeout,
      cookieConfig: { lifetimeType: "Permanent" } as const,
    }),
  };
}
