import type { DirectResponseAction, Route } from "../generated/messages.ts";

/** Answers of the gateway itself: one line of text, which tells nobody about others. */
export const localTexts = {
  badRequest: "the host is malformed or the path is ambiguous",
  badField: "the method or a header is malformed",
  tooLarge: "the body is larger than this route allows",
  notFound: "no route for this request",
  noBackends: "the route has no backends",
  unusableBackend: "a backend of the route is not usable",
  misconfiguredAuth: "the authorization of this route is not configured correctly",
} as const;

export function directResponse(
  status: number,
  text: string,
): Pick<Route, "directResponse" | "responseHeadersToAdd"> {
  const directResponse: DirectResponseAction = { status, body: { inlineString: `${text}\n` } };
  return { directResponse };
}
