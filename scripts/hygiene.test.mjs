import { describe, expect, it } from "vitest";
import { hygieneRules, judgeFile } from "./hygiene.mjs";

// Put together here, so that this file itself is clean.
const rules = hygieneRules(["/srv/build-7/tree/"]);
const problems = (path, text) => judgeFile(path, text, rules);
const call = (subject, method) => `${subject}.${method}("x", () => {});`;

describe("hygiene", () => {
  it.each([
    ["a path of this machine", "docs/a.md", "see /srv/build-7/tree/docs"],
    ["a home folder", "src/a.ts", `const go = "${["", "home", "alice", "go"].join("/")}";`],
    ["a home folder on a Mac", "src/a.ts", `"${["", "Users", "alice", "go"].join("/")}"`],
    ["a registry", "docs/a.md", `https:${"//registry."}npmjs.org/`],
    ["a registry in the lockfile", "package-lock.json", `      "resolved": ${'"http'}://10.0.0.7/yaml.tgz"`],
    ["a test that runs alone", "src/a.test.ts", call("it", "only")],
    ["a skipped test", "src/a.test.ts", call("describe", "skip")],
    ["a test to be written", "test/features/a.ts", call("test", "todo")],
  ])("finds %s", (_, path, line) => {
    expect(problems(path, `first line\n${line}\n`)).toEqual([expect.stringMatching(`^${path}:2: `)]);
  });

  it.each([
    ["code that skips something which is no test", "src/translate/a.ts", call("reader", "skip")],
    ["the one place that skips for missing components", "test/components/need.ts", call("context", "skip")],
    ["paths that every machine has", "src/a.ts", '"/etc/nginx" "/var/run/x" "/home" "/users/7/orders"'],
    ["ordinary addresses", "docs/a.md", "https://gateway-api.sigs.k8s.io/"],
  ])("lets pass %s", (_, path, line) => {
    expect(problems(path, line)).toEqual([]);
  });
});
