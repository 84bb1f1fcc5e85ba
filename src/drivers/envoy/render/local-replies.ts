/*
 * The texts of answers that Envoy gives by itself. Its own would tell clients about connections inside.
 */
import type { AccessLogFilter, LocalReplyConfig, ResponseMapper } from "../generated/messages.ts";
import { localTexts } from "./direct-response.ts";
import { headerEquals } from "./route-match.ts";

/** By Envoy's response flags. */
const texts: readonly (readonly [flag: string, text: string])[] = [
  ["NR", localTexts.notFound],
  ["NC", localTexts.unusableBackend],
  ["UH", "the backend has no endpoints"],
  ["UF", "the backend cannot be reached"],
  ["UC", "the backend closed the connection before it answered"],
  ["UR", "the backend closed the connection before it answered"],
  ["LR", "the backend closed the connection before it answered"],
  ["UT", "the backend took too long"],
  ["UPE", "the backend's answer is not valid HTTP"],
  ["UO", "the backend is overloaded"],
  ["URX", "the backend cannot be reached"],
];

/** Of an authorization server: no yes, and must not look like one. */
const otherSuccess: ResponseMapper = {
  filter: allOf(withFlag("UAEX"), status("GE", 201), status("LE", 299)),
  statusCode: 403,
  body: { inlineString: "the request could not be authorized\n" },
};

/** `refused-request.ts`: as if there were no route. */
const traceRefused: ResponseMapper = {
  filter: allOf(withFlag("FI"), status("EQ", 400), {
    headerFilter: { header: headerEquals(":method", "TRACE") },
  }),
  statusCode: 404,
  body: { inlineString: `${localTexts.notFound}\n` },
};

/** What filters refuse that stand in for others. */
const refused: readonly ResponseMapper[] = [
  [400, localTexts.badRequest] as const,
  [413, localTexts.tooLarge] as const,
].map(([code, text]) => ({
  filter: allOf(withFlag("FI"), status("EQ", code)),
  body: { inlineString: `${text}\n` },
}));

export const localReplies: LocalReplyConfig = {
  mappers: [
    otherSuccess,
    traceRefused,
    ...refused,
    ...texts.map(([flag, text]): ResponseMapper => ({
      filter: withFlag(flag),
      body: { inlineString: `${text}\n` },
    })),
  ],
};

function withFlag(flag: string): AccessLogFilter {
  return { responseFlagFilter: { flags: [flag] } };
}

function status(op: "EQ" | "GE" | "LE", value: number): AccessLogFilter {
  return {
    statusCodeFilter: { comparison: { op, value: { defaultValue: value, runtimeKey: "gatewright.none" } } },
  };
}

function allOf(...filters: readonly AccessLogFilter[]): AccessLogFilter {
  return { andFilter: { filters } };
}
