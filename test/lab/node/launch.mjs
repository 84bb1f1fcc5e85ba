// How a container's process comes to be: a shell script that makes its file system in a mount namespace of its own, and
// at last becomes the process, with the user, groups and capabilities that the Pod asks for.
//
// The file system is in memory: the machine's programs and libraries read-only, or the image's root below; then the
// image's files and the Pod's volumes. `exec` all the way: the number of the script's process is the container's.

import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { onPath } from "../../../scripts/search.mjs";

const tool = (name) => onPath(name) ?? name;

// Of the machine, for images without a root of their own. /usr/local is the image's.
const seenOfMachine = [
  "/usr/bin",
  "/usr/sbin",
  "/usr/lib",
  "/usr/lib32",
  "/usr/lib64",
  "/usr/libexec",
  "/usr/share",
];
const linksOfMachine = ["/bin", "/sbin", "/lib", "/lib32", "/lib64"];
const filesOfMachine = [
  "/etc/passwd",
  "/etc/group",
  "/etc/nsswitch.conf",
  "/etc/ssl",
  "/etc/ld.so.cache",
  "/etc/nginx",
];

// What container engines give by default.
const defaultCapabilities =
  "chown dac_override fowner fsetid kill mknod net_bind_service net_raw setfcap setgid setpcap setuid sys_chroot audit_write".split(
    " ",
  );

/**
 * launch: { folder (for the root), image, argv, workingDir, mounts [{ source, target, readOnly }], files { path: text },
 * user, group, groups, capabilities, noNewPrivileges, readOnlyRoot, privileged }. Returns the script's path.
 */
export function writeLaunchScript(path, launch) {
  const root = join(launch.folder, "root");
  mkdirSync(root, { recursive: true });
  const lines = [
    "set -e",
    ...rootLines(root, launch.image),
    ...specialLines(root),
    ...Object.entries(launch.image.files ?? {}).flatMap(([target, source]) =>
      bindLines(root, { source, target, readOnly: true }),
    ),
    ...Object.entries(launch.files).flatMap(([target, text]) => {
      const source = join(launch.folder, target.replaceAll("/", "_"));
      writeFileSync(source, text);
      return bindLines(root, { source, target });
    }),
    // The outer ones first: a volume may be mounted below another.
    ...launch.mounts
      .toSorted((a, b) => a.target.length - b.target.length)
      .flatMap((mount) => bindLines(root, mount)),
    ...workingDirLines(root, launch),
    ...(launch.readOnlyRoot ? [`${tool("mount")} -o remount,ro ${quote(root)}`] : []),
    `: >${quote(markOf(path))}`,
    becomeLine(root, launch),
  ];
  rmSync(markOf(path), { force: true });
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

function rootLines(root, image) {
  if (image.root) {
    const [upper, work] = [join(root, "..", "upper"), join(root, "..", "work")].map(quote);
    return [
      `mkdir -p ${upper} ${work}`,
      `${tool("mount")} -t overlay overlay -o lowerdir=${quote(image.root)},upperdir=${upper},workdir=${work} ${quote(root)}`,
      `cd ${quote(root)}`,
      "mkdir -p dev proc sys etc",
    ];
  }
  const links = linksOfMachine.filter((path) => existsSync(path) && lstatSync(path).isSymbolicLink());
  const folders = [...seenOfMachine, ...linksOfMachine].filter(
    (path) => existsSync(path) && !lstatSync(path).isSymbolicLink(),
  );
  return [
    `${tool("mount")} -t tmpfs -o mode=755 root ${quote(root)}`,
    `cd ${quote(root)}`,
    "mkdir -p dev proc sys etc root run tmp usr/local var/run var/log var/tmp var/cache var/lib",
    "chmod 1777 tmp var/tmp",
    ...links.map((path) => `ln -s ${quote(readlinkSync(path))} .${path}`),
    ...folders.flatMap((path) => bindLines(root, { source: path, target: path, readOnly: true })),
    ...filesOfMachine
      .filter(existsSync)
      .flatMap((path) => bindLines(root, { source: path, target: path, readOnly: true })),
  ];
}

function specialLines(root) {
  const at = (path) => quote(join(root, path));
  return [
    `${tool("mount")} --rbind /dev ${at("dev")}`,
    // Of its own, since programs name what they keep there: two Envoys would meet.
    `${tool("mount")} -t tmpfs -o mode=1777 shm ${at("dev/shm")}`,
    `${tool("mount")} --rbind /proc ${at("proc")}`,
    `${tool("mount")} -t sysfs -o ro sysfs ${at("sys")}`,
  ];
}

function bindLines(root, { source, target, readOnly = false }) {
  const place = quote(join(root, target));
  const make = statSync(source).isDirectory()
    ? `mkdir -p ${place}`
    : `mkdir -p ${quote(dirname(join(root, target)))}; [ -e ${place} ] || : >${place}`;
  return [make, `${tool("mount")} -o bind${readOnly ? ",ro" : ""} ${quote(source)} ${place}`];
}

function workingDirLines(root, { workingDir = "/" }) {
  return workingDir === "/" ? [] : [`mkdir -p ${quote(join(root, workingDir))}`];
}

// nsenter changes the root and the folder, and finds the program on the container's PATH; what it needs for that, the
// capability of chroot, engines give every container anyway.
function becomeLine(
  root,
  { argv, workingDir = "/", user, group, groups, capabilities, noNewPrivileges, privileged },
) {
  const wanted = new Set([...capabilitySet(capabilities), "sys_chroot"]);
  const list = [...wanted].map((name) => `+${name}`).join(",");
  const words = [
    tool("setpriv"),
    `--reuid=${user}`,
    `--regid=${group}`,
    groups.length > 0 ? `--groups=${groups.join(",")}` : "--clear-groups",
    ...(privileged ? [] : [`--bounding-set=-all,${list}`]),
    // Another user than root has capabilities only if they are ambient.
    ...(user === 0 ? [] : ambient(capabilities)),
    ...(noNewPrivileges ? ["--no-new-privs"] : []),
    tool("nsenter"),
    `--root=${root}`,
    `--wd=${join(root, workingDir)}`,
    "--",
    ...argv,
  ];
  return `exec ${words.map(quote).join(" ")}`;
}

function capabilitySet({ add = [], drop = [] } = {}) {
  const names = (list) => list.map((name) => name.toLowerCase().replace(/^cap_/, ""));
  const dropped = new Set(names(drop));
  const kept = dropped.has("all") ? [] : defaultCapabilities.filter((name) => !dropped.has(name));
  return [...kept, ...names(add)];
}

function ambient({ add = [] } = {}) {
  const list = [...new Set([...capabilitySet({ add, drop: ["ALL"] }), "sys_chroot"])].map(
    (name) => `+${name}`,
  );
  return [`--inh-caps=-all,${list.join(",")}`, `--ambient-caps=-all,${list.join(",")}`];
}

/**
 * Has a process that has ended become the container's program before? It may have been too quick to be seen. The script's
 * last deed but one is a mark; what follows says so if it fails.
 */
export function wasLaunched(script, lastWords) {
  return existsSync(markOf(script)) && !/^(nsenter|setpriv): /.test(lastWords);
}

const markOf = (script) => `${script}.done`;

/** Is that process still on its way to become the container's? Undefined: it has ended. */
export function isLaunching(pid, script) {
  let words;
  try {
    words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return undefined;
  }
  if (words.length < 2) return undefined;
  return (
    words.includes(script) ||
    words[0] === tool("setpriv") ||
    (words[0] === tool("nsenter") && words[1].startsWith("--"))
  );
}

/** The command that runs `argv` inside a running container. */
export function insideContainer(pid, { user, group, argv }) {
  return [
    tool("nsenter"),
    `--target=${pid}`,
    "--mount",
    "--net",
    "--root",
    "--wd",
    `--setuid=${user}`,
    `--setgid=${group}`,
    "--",
    ...argv,
  ];
}

/** The command that runs a launch script in a Pod's network. */
export function launchCommand(networkNamespace, script) {
  const inNetwork = networkNamespace ? [tool("nsenter"), `--net=/run/netns/${networkNamespace}`, "--"] : [];
  return [...inNetwork, tool("unshare"), "--mount", "--propagation=private", "--", "/bin/sh", script];
}

function quote(text) {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
