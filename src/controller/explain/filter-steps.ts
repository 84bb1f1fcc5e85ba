/** What each filter does to a request, as a step. */
import {
  changePath,
  judgeCors,
  redirectLocation,
  type CorsPolicy,
  type CorsVerdict,
  type ExternalAuth,
  type HeaderChanges,
  type Mirror,
  type Redirect,
  type Rewrite,
} from "../../model/index.ts";
import type { Step } from "./explanation.ts";
import { nameTarget } from "./object-words.ts";
import { nameAnswer, type Question } from "./question.ts";

/** One step for what changes in the headers of a request or response, if anything does. */
export function headerSteps(of: "request" | "response", changes: HeaderChanges | undefined): Step[] {
  if (!changes) return [];
  const words = [
    ...changes.remove.map((name) => `remove ${name}`),
    ...changes.set.map(({ name, value }) => `set ${name}: ${value}`),
    ...changes.add.map(({ name, value }) => `add ${name}: ${value}`),
  ];
  return words.length === 0 ? [] : [note(`${of} headers: ${words.join(", ")}`)];
}

export function rewriteStep({ hostname, path: change }: Rewrite, path: string): Step {
  const words = [
    ...(hostname === undefined ? [] : [`host becomes ${hostname}`]),
    ...(change ? [`path ${path} becomes ${changePath(path, change)}`] : []),
  ];
  return note(`rewrite: ${words.join(", ")}`);
}

export function redirectTo(redirect: Redirect, question: Question): string {
  const { scheme, host, port, path, query } = question;
  return redirectLocation(redirect, { scheme, host, listenerPort: port, path, query });
}

export function redirectStep(redirect: Redirect, question: Question): Step {
  return note(`redirect: ${redirect.statusCode} to ${redirectTo(redirect, question)}`);
}

export function mirrorStep({ target, numerator, denominator }: Mirror): Step {
  const share = numerator === denominator ? "every request" : `${numerator} of ${denominator} requests`;
  const mark = target.type === "error" ? "trouble" : "note";
  return { about: "filter", mark, text: `mirror: ${share} to ${nameTarget(target)}` };
}

export function authStep({ protocol, target }: ExternalAuth, question: Question): Step {
  if (target.type === "error") {
    const text = `authorization leads nowhere (${nameAnswer(500, question)}): ${target.reason}`;
    return { about: "filter", mark: "trouble", text };
  }
  return note(
    `authorization: ${nameTarget(target)} is asked first (${protocol}); anything but a yes is the answer`,
  );
}

export function corsStep(
  policy: CorsPolicy,
  question: Question,
): { readonly step: Step; readonly verdict: CorsVerdict } {
  const origin = question.header("origin");
  const verdict = judgeCors(policy, {
    method: question.method,
    origin,
    requestMethod: question.header("access-control-request-method"),
    requestHeaders: question.header("access-control-request-headers"),
  });
  if (verdict.type === "not applicable") {
    return { step: note("CORS: the request has no Origin, so nothing happens"), verdict };
  }
  const allowed = verdict.allowed
    ? `origin ${origin} is allowed`
    : `origin ${origin} is not among ${policy.allowOrigins.join(", ") || "any"}`;
  const effect =
    verdict.type === "preflight" ? "the gateway answers the pre-flight request with" : "the answer gets";
  return {
    step: {
      about: "filter",
      mark: verdict.allowed ? "yes" : "no",
      text: `CORS: ${allowed}; ${effect}`,
      steps: verdict.headers.map(({ name, value }) => note(`${name}: ${value}`)),
    },
    verdict,
  };
}

function note(text: string): Step {
  return { about: "filter", mark: "note", text };
}
