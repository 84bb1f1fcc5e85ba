// Images without containers: the last part of an image's name says which local program it is.
//
// An entry: `entrypoint`, `cmd`, `user`, `group`, `env`, `workingDir` as in an image; `files` { path in the container: path
// here }, read-only; `root`: a folder that is the whole file system (else the machine's own programs and libraries are seen).

import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("../../..", import.meta.url));

/** programs: paths of what is there of `echo-basic`, `coredns`, `envoy`, `nginx`, `haproxy`. */
export function imageTable(programs) {
  const single = (name, path = `/usr/local/bin/${name}`, more = {}) =>
    programs[name] ? [[name, { entrypoint: [path], files: { [path]: programs[name] }, ...more }]] : [];
  return Object.fromEntries([
    ...single("echo-basic", "/echo-basic"),
    ...single("coredns", "/coredns"),
    ...single("envoy"),
    ...single("nginx", undefined, { cmd: ["-g", "daemon off;"] }),
    ...single("haproxy", undefined, { cmd: ["-f", "/usr/local/etc/haproxy/haproxy.cfg"] }),
    ["gatewright", gatewrightImage()],
    ["busybox", { entrypoint: [], cmd: ["sh"] }],
  ]);
}

/** The name's last part, without tag and digest: "registry.test:5000/a/envoy:v1@sha256:…" is "envoy". */
export function imageName(image) {
  return image.split("@")[0].split("/").at(-1).split(":")[0];
}

/** As the Dockerfile lays it out. */
export function gatewrightImage(node = process.execPath) {
  const parts = ["dist", "node_modules", "package.json"].map((part) => [`/app/${part}`, join(project, part)]);
  return {
    entrypoint: ["/usr/local/bin/node", "/app/dist/cli/main.js"],
    files: Object.fromEntries([
      ...parts.filter(([, path]) => existsSync(path)),
      ["/usr/local/bin/node", node],
    ]),
    cmd: ["help"],
    workingDir: "/app",
    user: 65_532,
    group: 65_532,
    env: { NODE_ENV: "production" },
  };
}
