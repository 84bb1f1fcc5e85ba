import { normalizePath, type ExternalAuth } from "../model/index.ts";
import { isFieldName, type HTTPExternalAuthFilter } from "../resources/index.ts";
import { resolveBackendRef, type ResolvedRef } from "./backend-refs.ts";
import { unsupported, type Refusal } from "./content-problems.ts";
import { isReservedHeader } from "./reserved-headers.ts";
import type { RouteContext } from "./route-context.ts";

export interface TranslatedAuth {
  readonly auth: ExternalAuth;
  readonly ref: ResolvedRef;
  readonly refusals: readonly Refusal[];
}

const largestBody = 65_535;

/** Spec: HTTPExternalAuthFilter (GEP-1494). A server that cannot be asked refuses everything. */
export function translateExternalAuth(
  context: RouteContext,
  { protocol, backendRef, grpc, http, forwardBody }: HTTPExternalAuthFilter,
  field: string,
): TranslatedAuth {
  const transport = protocol === "GRPC" ? "grpc" : "http";
  const ref = resolveBackendRef(context, { ref: backendRef, field: `${field}.backendRef`, transport });
  const config = transport === "grpc" ? `${field}.grpc` : `${field}.http`;
  const asked = (transport === "grpc" ? grpc?.allowedHeaders : http?.allowedHeaders) ?? [];
  const answered = http?.allowedResponseHeaders ?? [];
  const maxBodySize = forwardBody?.maxSize ?? 0;
  const refusals = [
    ...judgeNames(asked, `${config}.allowedHeaders`),
    ...judgeNames(answered, `${config}.allowedResponseHeaders`),
    ...judgeTakenOver(answered, `${config}.allowedResponseHeaders`),
    ...judgePrefix(http?.path, `${config}.path`),
  ];
  if (maxBodySize < 0 || maxBodySize > largestBody) {
    refusals.push(unsupported(`${field}.forwardBody.maxSize`, `must be between 0 and ${largestBody}`));
  }
  const auth: ExternalAuth = {
    protocol: transport,
    target: ref.target,
    pathPrefix: (http?.path ?? "").replace(/\/+$/, ""),
    // Spec: an empty list means all headers for gRPC, and none beside the usual ones for HTTP.
    requestHeaders: transport === "grpc" && asked.length === 0 ? "all" : lowerCase(asked),
    // Spec: an empty list means all, except those that name the host.
    responseHeaders: answered.length === 0 ? "all" : lowerCase(answered),
    maxBodySize,
  };
  return { auth, ref, refusals };
}

function lowerCase(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.toLowerCase()))];
}

function judgeNames(names: readonly string[], field: string): Refusal[] {
  return names.flatMap((name, index) =>
    isFieldName(name) ? [] : [unsupported(`${field}[${index}]`, "is not a name that a header can have")],
  );
}

/** They go into the request to the backend: with another length or host it would be another request to the backend than to the gateway. */
function judgeTakenOver(names: readonly string[], field: string): Refusal[] {
  return names.flatMap((name, index) =>
    isReservedHeader(name)
      ? [unsupported(`${field}[${index}]`, `${name} is the gateway's own to set; leave it out`)]
      : [],
  );
}

function judgePrefix(path: string | undefined, field: string): Refusal[] {
  if (path === undefined || path === "") return [];
  const target = normalizePath(path);
  const isPath =
    path.startsWith("/") && !("refused" in target) && target.search === "" && target.path === path;
  return isPath
    ? []
    : [unsupported(field, "must be a path that begins with / and has no empty or dot segments")];
}
