// npm run lab: a cluster to look around in (test/lab).
//
//   npm run lab                        up, a shell inside, down when the shell ends; --keep leaves it up
//   npm run lab -- up | down           in the background
//   npm run lab -- exec COMMAND...     inside the one that is up
//   npm run lab -- test [FILE...]      lab tests, inside a lab of their own
//   --name NAME                        several at once
//
// A lab that is up is one process, `serve`, inside its namespaces; a record in our cache says which.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { componentNamed, labComponents } from "../test/components/components.mjs";
import { prepareComponents } from "../test/components/prepare.mjs";
import { cacheFolder, onPath } from "./search.mjs";
import { startCluster } from "../test/lab/cluster.mjs";
import { currentLab, insideLab, labObstacle } from "../test/lab/namespaces.mjs";
import { build } from "./build.mjs";
import { projectFolder, runCommand } from "./command.mjs";
import { requireNode } from "./node-version.mjs";

const self = fileURLToPath(import.meta.url);
const commands = { shell, up, down, exec, test, serve };

requireNode();
const { name, keep, words } = parseArguments(process.argv.slice(2));
const [word = "shell", ...rest] = words;
if (!commands[word])
  fail(`There is no "npm run lab -- ${word}"; there are ${Object.keys(commands).slice(0, 5).join(", ")}.`, 2);
process.exitCode = await commands[word](rest);

function parseArguments(args) {
  const words = [];
  const options = { name: "default", keep: false };
  for (let i = 0; i < args.length; i++) {
    // What comes after the command belongs to it.
    if (words[0] === "exec" || words[0] === "test") words.push(args[i]);
    else if (args[i] === "--keep") options.keep = true;
    else if (args[i] === "--name") options.name = args[++i] ?? "";
    else words.push(args[i]);
  }
  if (!/^[\w.-]+$/.test(options.name)) fail("--name wants a name of letters, digits and dashes.", 2);
  return { ...options, words };
}

async function shell() {
  const code = await up();
  if (code !== 0) return code;
  const program = process.env.SHELL ?? "/bin/sh";
  console.log(
    `In here: kubectl, Pods, Services and load balancers. Ends with "exit"${keep ? "; the lab stays" : ""}.`,
  );
  try {
    return enter([program], { PS1: `lab:${name} \\w # ` });
  } finally {
    if (!keep) await down();
  }
}

async function up() {
  if (findRecord()) {
    console.log(`The lab "${name}" is up already.`);
    return 0;
  }
  await prepare(["echo-basic", "coredns", "envoy"]);
  await buildIfPossible();
  mkdirSync(dirname(recordFile()), { recursive: true });
  const log = openSync(logFile(), "w");
  const lab = insideLab([process.execPath, self, "--name", name, "serve"], { outlivesUs: true });
  const child = spawn(lab.command[0], lab.command.slice(1), {
    cwd: projectFolder,
    detached: true,
    stdio: ["ignore", log, log],
  });
  child.unref();
  let hasEnded = false;
  child.once("exit", () => (hasEnded = true));
  const interrupt = () => process.kill(child.pid, "SIGKILL");
  process.once("SIGINT", interrupt);
  while (!hasEnded && !readFileSync(logFile(), "utf8").includes("The lab is up")) await delay(100);
  process.off("SIGINT", interrupt);
  process.stdout.write(readFileSync(logFile(), "utf8"));
  if (hasEnded) {
    lab.clean();
    return 1;
  }
  writeFileSync(recordFile(), JSON.stringify({ pid: child.pid, folder: lab.folder }));
  return 0;
}

async function down() {
  const record = findRecord();
  if (!record) {
    console.log(`There is no lab "${name}".`);
    return 0;
  }
  // The kernel ends everything inside with the first process there.
  process.kill(record.inside, "SIGKILL");
  while (existsSync(`/proc/${record.pid}`)) await delay(50);
  rmSync(record.folder, { recursive: true, force: true });
  for (const file of [recordFile(), logFile()]) rmSync(file, { force: true });
  console.log(`The lab "${name}" is down.`);
  return 0;
}

function exec(command) {
  if (!findRecord()) fail(`There is no lab "${name}"; start it with: npm run lab -- up`, 1);
  if (command.length === 0) fail("exec wants a command, as in: npm run lab -- exec kubectl get pods -A", 2);
  return enter(command);
}

async function test(files) {
  await prepare(["curl", "echo-basic", "coredns", "envoy"]);
  await buildIfPossible();
  const lab = insideLab(["vitest", "run", "--project", "lab", "--no-file-parallelism", ...files]);
  const { code } = await runCommand(lab.command[0], lab.command.slice(1), { show: true, disposable: true });
  lab.clean();
  return code;
}

// Inside. Whoever wants it to end, kills it.
async function serve() {
  const cluster = await startCluster();
  await cluster.installCrds();
  console.log(
    `The lab is up: started in ${(cluster.startedIn / 1000).toFixed(1)} s, with the Gateway API's CRDs; logs in ${cluster.folder}/logs`,
  );
  // Its children are its own; a timer keeps it going.
  setInterval(() => {}, 2 ** 30);
  return new Promise(() => {});
}

function enter(command, env = {}) {
  // Ctrl-C is for the command inside.
  process.on("SIGINT", () => {});
  const { inside, folder } = findRecord();
  const kubectl = dirname(componentNamed("kubectl").find());
  const { status } = spawnSync(
    onPath("nsenter"),
    [`--target=${inside}`, "--net", "--mount", "--pid", "--", ...command],
    {
      stdio: "inherit",
      env: {
        ...process.env,
        GATEWRIGHT_LAB: folder,
        KUBECONFIG: join(folder, "admin.kubeconfig"),
        PATH: `${kubectl}:${process.env.PATH}`,
        ...env,
      },
    },
  );
  return status ?? 1;
}

async function prepare(more) {
  const obstacle = currentLab() ? "this is a lab already" : labObstacle();
  if (obstacle) fail(`No lab here: ${obstacle}.`, 1);
  const missing = await prepareComponents(["go", "gateway-api", ...labComponents, ...more]);
  const needed = missing.filter((component) => labComponents.includes(component));
  if (needed.length > 0) fail(`No lab without ${needed.join(", ")}.`, 1);
}

// The image `gatewright` is what is in dist/. Broken sources are no reason to have no cluster.
async function buildIfPossible() {
  if (!(await build())) console.log("Going on with what dist/ has.");
}

function recordFile() {
  return join(cacheFolder(), "labs", `${name}.json`);
}

/** What it said when it started. */
function logFile() {
  return recordFile().replace(/json$/, "log");
}

/** The lab of that name, if it is up: `pid` of the program outside, `inside` of the first process in it. */
function findRecord() {
  if (!existsSync(recordFile())) return undefined;
  const record = JSON.parse(readFileSync(recordFile(), "utf8"));
  const inside = readdirSync("/proc").find((pid) => {
    try {
      return (
        /^\d+$/.test(pid) &&
        readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ")[1] === String(record.pid)
      );
    } catch {
      return false;
    }
  });
  // The number may be another program's by now: ours has the lab's folder in its words.
  const isOurs = inside && readFileSync(`/proc/${inside}/cmdline`, "utf8").includes(record.folder);
  return isOurs ? { ...record, inside: Number(inside) } : undefined;
}

function fail(message, code) {
  console.error(message);
  process.exit(code);
}
