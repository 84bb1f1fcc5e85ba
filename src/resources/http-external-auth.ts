/** The experimental ExternalAuth filter of HTTPRoute (GEP-1494). */
import { backendObjectReference } from "./object-reference.ts";
import { array } from "./schema-collections.ts";
import { object, optional, required } from "./schema-object.ts";
import { integer, oneOf, string } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

const headerNames = array(string(), { maxItems: 64, unique: true });

const grpcAuthConfig = object({ allowedHeaders: optional(headerNames) });
export type GRPCAuthConfig = Infer<typeof grpcAuthConfig>;

const httpAuthConfig = object({
  path: optional(
    string({
      maxLength: 1024,
      pattern: { source: "^(?:[-A-Za-z0-9/._~!$&'()*+,;=:@]|[%][0-9a-fA-F]{2})+$", is: "a URL path" },
    }),
  ),
  allowedHeaders: optional(headerNames),
  allowedResponseHeaders: optional(headerNames),
});
export type HTTPAuthConfig = Infer<typeof httpAuthConfig>;

const forwardBodyConfig = object({ maxSize: optional(integer()) });
export type ForwardBodyConfig = Infer<typeof forwardBodyConfig>;

export const httpExternalAuthFilter = object({
  protocol: required(oneOf(["HTTP", "GRPC"])),
  backendRef: required(backendObjectReference),
  grpc: optional(grpcAuthConfig),
  http: optional(httpAuthConfig),
  forwardBody: optional(forwardBodyConfig),
})
  .rule(
    "grpc must be specified when protocol is set to 'GRPC'",
    ({ protocol, grpc }) => protocol !== "GRPC" || grpc !== undefined,
  )
  .rule(
    "protocol must be 'GRPC' when grpc is set",
    ({ protocol, grpc }) => protocol === "GRPC" || grpc === undefined,
  )
  .rule(
    "http must be specified when protocol is set to 'HTTP'",
    ({ protocol, http }) => protocol !== "HTTP" || http !== undefined,
  )
  .rule(
    "protocol must be 'HTTP' when http is set",
    ({ protocol, http }) => protocol === "HTTP" || http === undefined,
  );
export type HTTPExternalAuthFilter = Infer<typeof httpExternalAuthFilter>;
