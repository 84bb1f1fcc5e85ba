/** Experimental session persistence (GEP-1619), of Routes and of XBackendTrafficPolicy. */
import { duration } from "./api-scalars.ts";
import { defaulted, object, optional } from "./schema-object.ts";
import { oneOf, string } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

const cookieConfig = object({ lifetimeType: defaulted(oneOf(["Permanent", "Session"]), "Session") });
export type CookieConfig = Infer<typeof cookieConfig>;

export const sessionPersistence = object({
  sessionName: optional(string({ maxLength: 128 })),
  absoluteTimeout: optional(duration),
  type: defaulted(oneOf(["Cookie", "Header"]), "Cookie"),
  cookieConfig: optional(cookieConfig),
})
  .rule(
    "AbsoluteTimeout must be specified when cookie lifetimeType is Permanent",
    (session) => session.cookieConfig?.lifetimeType !== "Permanent" || session.absoluteTimeout !== undefined,
  )
  .rule(
    "cookieConfig can only be set with type Cookie",
    (session) => session.cookieConfig === undefined || session.type === "Cookie",
  );
export type SessionPersistence = Infer<typeof sessionPersistence>;
