import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { refusedPathPattern } from "../../../model/index.ts";
import { scopeFragments, scopeKeys, scopeSeparators } from "./names.ts";
import { malformedPatterns, requestLine, withRefusals } from "./refused-request.ts";

const path = RE2JS.compile(refusedPathPattern);
const listeners = {
  http: { key: "kit/http", protocol: "http", port: 80 },
  "http on a port that clients name": { key: "kit/http", protocol: "http", port: 8080 },
  tls: { key: "kit/tls", protocol: "tls", port: 443 },
} as const;
const listener = listeners.http;

const malformed = ({ protocol }: { readonly protocol: "http" | "tls" }) =>
  RE2JS.compile(malformedPatterns[protocol]);

/** As Envoy fills it in. */
const line = ({
  on = listener as (typeof listeners)[keyof typeof listeners],
  host = "a.test",
  name = "a.test",
  path: target = "/",
}) =>
  requestLine(on)
    .replace("%REQUESTED_SERVER_NAME%", () => name)
    .replace("%REQ(:AUTHORITY)%", () => host)
    .replace("%PATH(NQ:PATH)%", () => target)
    .replace("%%", "%");

/** As Envoy looks for the scope of an exact host. */
function findsScope(
  host: string,
  header: string,
  on: Parameters<typeof scopeKeys.exact>[0] = listener,
): boolean {
  const wanted = scopeFragments(scopeKeys.exact(on, host));
  const found = scopeSeparators.map(({ elementSeparator, index }) => header.split(elementSeparator)[index]);
  return JSON.stringify(found) === JSON.stringify(wanted);
}

describe("requests that are refused", () => {
  it.each([
    ["/a/..;/b", true],
    ["/a/..%2Fb", true],
    ["/a%2F..", true],
    ["/a%", true],
    ["/a%2", true],
    ["/a%zz/b", true],
    ["/a..;/b", false],
    ["/a%20b", false],
    ["*", false],
  ])("by the path %s: %s", (given, isRefused) => {
    for (const on of Object.values(listeners))
      expect(malformed(on).matches(line({ on, path: given }))).toBe(isRefused);
  });

  it.each([
    ["a.test", false],
    ["a.test:", false],
    ["a.test:8080", false],
    ["a.test:65535", false],
    ["10.0.0.1:80", false],
    ["[::1]", false],
    ["[::1]:8443", false],
    ["-", false],
    ["a.test:65536", true],
    ["a.test:99999", true],
    ["a.test:000080", true],
    ["a.test:abc", true],
    ["a.test:80:90", true],
    ["a.test:80:80", true],
    ["a.test|b.test", true],
    ["a.test:-1", true],
    ["a.test:80@b.test", true],
    ["b.test@a.test", true],
    ["a.test:%0d%0aX-Inj:1", true],
    ["[::1]:x", true],
    ["[::1]x:80", false],
  ])("by the host %s: %s", (host, isRefused) => {
    for (const on of Object.values(listeners))
      expect(malformed(on).matches(line({ on, host }))).toBe(isRefused);
  });

  it("by paths as the model has them", () => {
    const pieces = ["/", "a", ".", "..", ";", "%", "%2F", "%5c", "%3B", "%2", "f", "%zz", "%41"];
    const text = fc
      .array(fc.constantFrom(...pieces), { maxLength: 8 })
      .map((chosen) => `/${chosen.join("")}`);
    const compiled = malformed(listener);
    fc.assert(
      fc.property(text, (given) => {
        expect({ given, isRefused: compiled.matches(line({ path: given })) }).toEqual({
          given,
          isRefused: path.matches(given),
        });
      }),
    );
  });
});

describe("requests that find the scope of their exact host at once", () => {
  it.each([
    ["a.test", "/", true],
    ["a.test", "/a.b/c", true],
    ["a.test:80", "/", false],
    ["a.test:8080", "/", false],
    ["a.test:", "/", false],
    ["a.test:80x", "/", false],
    ["a.test:80:x", "/", false],
    ["A.test", "/", false],
    ["b.test", "/", false],
    ["a.test", "/a%20b", false],
    ["a.test", "/.well-known/x", false],
    ["a.test", "/a% /.", false],
    ["a.test", "/a/. /..", false],
    ["a.test%", "/", false],
    ["a.test /.?", "/", false],
    ["a.test /.?%", "/", false],
    ["a.test /.?/.%", "/", false],
  ])("%s %s: %s", (host, target, isFound) => {
    expect(findsScope("a.test", line({ host, path: target }))).toBe(isFound);
  });

  it("name the listener's port, if clients name it", () => {
    const on = listeners["http on a port that clients name"];
    const finds = (host: string) => findsScope("a.test", line({ on, host }), on);
    expect(["a.test:8080", "a.test", "a.test:80", "a.test:8080:8080"].map(finds)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it("are for the server name of their connection", () => {
    const on = listeners.tls;
    const finds = (name: string, host: string) => findsScope("a.test", line({ on, name, host }), on);
    expect(finds("a.test", "a.test")).toBe(true);
    expect(finds("b.test", "a.test")).toBe(false);
    expect(finds("a.test", "b.test")).toBe(false);
    expect(finds("", "a.test")).toBe(false);
    expect(finds("a.test|a.test b", "b.test")).toBe(false);
    expect(finds("a.test|a.test /.?%", "b.test")).toBe(false);
    expect(finds("a.test|a.test /.?", "b.test")).toBe(false);
  });

  it.each(Object.entries(listeners))("are never among the malformed: %s", (_, on) => {
    const pieces = [
      "/",
      "a",
      ".",
      "..",
      ";",
      "%",
      "%2F",
      "%5c",
      "%2",
      String(on.port),
      `:${on.port}`,
      ":",
      "a.test",
      "@",
      " ",
      "/.",
      "% /.",
      "|",
    ];
    const onlyInHosts = ["?", "%?", " /.?"];
    const compiled = malformed(on);
    const text = (start: string, from: readonly string[]) =>
      fc.array(fc.constantFrom(...from), { maxLength: 8 }).map((chosen) => `${start}${chosen.join("")}`);
    const hosts = fc.oneof(fc.constant("a.test"), text("a.test", [...pieces, ...onlyInHosts]));
    fc.assert(
      fc.property(hosts, text("/", pieces), (host, target) => {
        const header = line({ on, host, path: target });
        expect(findsScope("a.test", header, on) && compiled.matches(header)).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("fields that are refused", () => {
  const match = { path: { type: "prefix", value: "/" }, headers: [], queryParams: [] } as const;
  const role = { name: "x-role", type: "exact", value: "admin" } as const;

  const routesOf = (...matches: readonly object[]) =>
    withRefusals(
      matches.map((more, index) => ({ match: { ...match, ...more }, index })),
      ({ index }) => [{ name: `rule ${index}` }],
    );
  const patterns = (...matches: readonly object[]) =>
    routesOf(...matches).flatMap((route) => {
      const matcher = route.match?.headers?.[0];
      return matcher ? [[matcher.name!, RE2JS.compile(matcher.stringMatch!.safeRegex!.regex!)] as const] : [];
    });

  it("are looked for behind the first rule that looks at them, once each", () => {
    expect(patterns({})).toEqual([]);
    const routes = routesOf({}, { headers: [role] }, { headers: [role], method: "GET" }, { method: "PUT" });
    expect(routes.map(({ name, match: of }) => of?.headers?.[0]?.name ?? name)).toEqual([
      "rule 0",
      "rule 1",
      "x-role",
      "rule 2",
      ":method",
      "rule 3",
    ]);
  });

  it("are looked for before a rule for which they are to be different", () => {
    const routes = routesOf({ headers: [{ ...role, invert: true }] }, { headers: [role] });
    expect(routes.map(({ name, match: of }) => of?.headers?.[0]?.name ?? name)).toEqual([
      "x-role",
      "rule 0",
      "rule 1",
    ]);
  });

  it("are headers with a blank at either end", () => {
    const [[, pattern]] = patterns({ headers: [role] }) as [[string, RE2JS]];
    for (const value of [" admin", "admin ", "\tadmin", "admin\t", " "])
      expect(pattern.matches(value)).toBe(true);
    for (const value of ["admin", "an admin", "a\tb", ""]) expect(pattern.matches(value)).toBe(false);
  });

  it("are methods that are not in capitals", () => {
    const [[, pattern]] = patterns({ method: "GET" }) as [[string, RE2JS]];
    for (const value of ["get", "Get", "GET ", "G1"]) expect(pattern.matches(value)).toBe(true);
    for (const value of ["GET", "M-SEARCH", "VERSION_CONTROL"]) expect(pattern.matches(value)).toBe(false);
  });
});
