/*
 * The scripts say once more, in njs's part of JavaScript, what the model says. Here both are asked the same.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  changePath,
  comparablePath,
  firstQueryValue,
  hostnameCandidates,
  judgeCors,
  normalizeHost,
  normalizePath,
  type CorsPolicy,
  type PathChange,
} from "../../../model/index.ts";

async function script<T>(name: string): Promise<T> {
  const module = (await import(new URL(`./${name}.js`, import.meta.url).href)) as { readonly default: T };
  return module.default;
}

interface Targets {
  normalize(
    target: string,
  ): { readonly path: string; readonly query: string; readonly search: string } | undefined;
  comparable(path: string): string;
  firstQueryValue(query: string, name: string): string | undefined;
  changePath(path: string, change: object): string;
}

interface Hostnames {
  normalize(authority: string): string | undefined;
  candidates(host: string): string[];
}

interface CrossOrigin {
  judge(
    policy: CorsPolicy,
    request: { readonly method: string; header(name: string): string | undefined },
  ): { readonly isPreflight: boolean; readonly headers: readonly (readonly [string, string])[] } | undefined;
}

const targets = await script<Targets>("targets");
const hostnames = await script<Hostnames>("hostnames");
const crossOrigin = await script<CrossOrigin>("cross-origin");

const pieces = [
  "/",
  "//",
  ".",
  "..",
  "a",
  "b.c",
  ";",
  "%2e",
  "%2F",
  "%5c",
  "%61",
  "%zz",
  "%",
  "%00",
  "?",
  "#",
  "\\",
  " ",
  "é",
  '"',
  "{",
  "~",
  "&x=1",
  "x",
];
const target = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => `/${parts.join("")}`);

describe("the scripts read requests as the model does", () => {
  it("targets", { timeout: 30_000 }, () => {
    fc.assert(
      fc.property(
        fc.oneof(
          target,
          fc.string().map((text) => `/${text}`),
        ),
        (given) => {
          const expected = normalizePath(given);
          const found = targets.normalize(given);
          if ("refused" in expected) return found === undefined;
          const { path, query, search } = expected;
          expect(found).toEqual({ path, query, search });
          expect(targets.comparable(path)).toBe(comparablePath(path));
          return true;
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it("query parameters", () => {
    const query = fc
      .array(fc.constantFrom("a", "b", "=", "&", "1", "ab"), { maxLength: 8 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(query, fc.constantFrom("a", "b", "ab"), (given, name) => {
        expect(targets.firstQueryValue(given, name)).toBe(firstQueryValue(given, name));
      }),
      { numRuns: 2_000 },
    );
  });

  it("changes of paths", () => {
    const value = fc.constantFrom("/", "/new", "/new/", "/a/b");
    const rest = fc.constantFrom("", "/", "/x", "/x/y");
    fc.assert(
      fc.property(fc.constantFrom("/", "/old", "/old/deep"), rest, value, (prefix, after, replacement) => {
        const path = `${prefix === "/" ? "" : prefix}${after}` || "/";
        const change: PathChange = { type: "prefix", prefix, value: replacement };
        expect(targets.changePath(path, { prefix, value: replacement })).toBe(changePath(path, change));
        expect(targets.changePath(path, { full: replacement })).toBe(
          changePath(path, { type: "full", value: replacement }),
        );
      }),
    );
  });

  it("hosts", () => {
    const host = fc
      .array(
        fc.constantFrom(
          "a",
          "B",
          ".",
          "-",
          "_",
          ":",
          "8080",
          "[",
          "]",
          "::1",
          "127.0.0.1",
          "*",
          "@",
          " ",
          "İ",
        ),
        {
          maxLength: 6,
        },
      )
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(host, (given) => {
        const expected = normalizeHost(given);
        expect(hostnames.normalize(given)).toBe(expected);
        const names = expected === undefined ? undefined : hostnames.candidates(expected);
        expect(names).toEqual(expected === undefined ? undefined : hostnameCandidates(expected));
      }),
      { numRuns: 3_000 },
    );
  });

  it("cross-origin requests", () => {
    const list = fc.uniqueArray(fc.constantFrom("*", "GET", "PUT", "x-one", "x-two"), { maxLength: 3 });
    const origins = ["https://a.test", "https://*.b.test", "*", "http://a.test:80", "HTTPS://A.test"];
    const asked = [
      "https://a.test",
      "https://x.b.test",
      "https://b.test",
      "http://a.test",
      "null",
      "https://a.test:443",
    ];
    const policy = fc.record({
      allowOrigins: fc.uniqueArray(fc.constantFrom(...origins), { maxLength: 3 }),
      allowCredentials: fc.boolean(),
      allowMethods: list,
      allowHeaders: list,
      exposeHeaders: list,
      maxAge: fc.nat(100),
    });
    const optional = (...values: readonly string[]) => fc.constantFrom(undefined, ...values);
    fc.assert(
      fc.property(
        policy,
        fc.constantFrom("GET", "OPTIONS"),
        optional(...asked),
        optional("PUT"),
        optional("x-one"),
        (cors, method, origin, requestMethod, requestHeaders) => {
          const expected = judgeCors(cors, { method, origin, requestMethod, requestHeaders });
          const headers: Readonly<Record<string, string | undefined>> = {
            origin,
            "access-control-request-method": requestMethod,
            "access-control-request-headers": requestHeaders,
          };
          const found = crossOrigin.judge(cors, { method, header: (name) => headers[name] });
          expect(found).toEqual(
            expected.type === "not applicable"
              ? undefined
              : {
                  isPreflight: expected.type === "preflight",
                  headers: expected.headers.map(({ name, value }) => [name, value]),
                },
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
