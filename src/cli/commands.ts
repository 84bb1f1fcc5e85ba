/*
 * The command table. To add a command, add an entry: help, completion and parsing follow from it. What a command needs is
 * loaded when it runs, so that the others start fast.
 */
import {
  compats,
  dataPlanes,
  defaultMesh,
  defaultControllerName,
  driverNames,
  outsideControllerName,
  kindWords,
  profileNames,
} from "../controller/names/index.ts";
import { defaultAdmin } from "./admin-address.ts";
import type { Command } from "./command.ts";
import type { Flag } from "./flag.ts";
import { exitCode } from "./exit-code.ts";
import { gateFlag } from "./gates.ts";
import { gatewayModeFlags, listenerPolicyFlags } from "./gateway-mode.ts";
import { programName, renderHelp, renderOverview } from "./help.ts";
import { layerFlags } from "./layer-flags.ts";
import { misuse } from "./misuse.ts";
import { readVersion } from "./version.ts";

const filename: Flag = {
  name: "filename",
  short: "f",
  value: "PATH",
  repeatable: true,
  required: true,
  isPath: true,
  summary: "a folder of YAML or JSON, a file, or - for standard input",
};
const driver: Flag = {
  name: "driver",
  value: "NAME",
  choices: driverNames,
  default: "embedded",
  summary: "the kind of proxy",
};
const allowExternalNames: Flag = {
  name: "allow-external-names",
  summary: "let Services of type ExternalName be backends; they can point anywhere",
};
const output = (choices: readonly string[], fallback: string): Flag => ({
  name: "output",
  short: "o",
  value: "FORMAT",
  choices,
  default: fallback,
  summary: "how to write the result",
});

const config: Flag = {
  name: "config",
  value: "FILE",
  isPath: true,
  summary: "settings as YAML: these flags, in camel case; the command line comes first",
};

/** Where the objects are a cluster's instead of files. */
const clusterFlags: readonly Flag[] = [
  {
    name: "kubeconfig",
    value: "FILE",
    isPath: true,
    summary: "of a cluster, whose objects are served instead of files",
  },
  { name: "context", value: "NAME", summary: "of the kubeconfig" },
];

const controllerFlags: readonly Flag[] = [
  {
    name: "kubeconfig",
    value: "FILE",
    isPath: true,
    summary: "(default: $KUBECONFIG, the Pod's own, or ~/.kube/config)",
  },
  { name: "context", value: "NAME", summary: "of the kubeconfig" },
  {
    name: "namespace",
    short: "n",
    value: "NAMESPACE",
    summary: "where its own Lease and Secrets are (default: the Pod's)",
  },
  {
    name: "controller-name",
    value: "NAME",
    repeatable: true,
    summary: `whose classes are ours (default ${defaultControllerName})`,
  },
  { ...driver, default: "envoy", summary: "where no ProxyConfig says another" },
  {
    name: "watch-namespace",
    value: "NAMESPACE",
    repeatable: true,
    summary: "look at this one only; Roles in it are enough",
  },
  {
    name: "channel-address",
    value: "ADDRESS:PORT",
    default: "0.0.0.0:18000",
    summary: "where it listens for its proxies",
  },
  {
    name: "channel-host",
    value: "HOST:PORT",
    summary: "where proxies find it (default: Service gatewright there)",
  },
  { name: "image", value: "IMAGE", summary: "of Gatewright, for proxies that run beside an agent" },
  {
    name: "envoy-image",
    value: "IMAGE",
    // As in the chart.
    default: "docker.io/envoyproxy/envoy:distroless-v1.40.0",
    summary: "of Envoy",
  },
  { name: "no-leader-election", summary: "always write; for a single replica" },
  { name: "network-policy", summary: "let proxy Pods be reached only where they serve" },
  {
    name: "admin",
    value: "ADDRESS:PORT",
    default: "0.0.0.0:19000",
    summary: "health, metrics; the rest from here only; or off",
  },
  allowExternalNames,
  ...gatewayModeFlags,
  ...layerFlags,
  config,
];

export const commands: readonly Command[] = [
  {
    name: "run",
    summary: "serve the Gateways in a folder on this machine",
    serves: "traffic",
    description:
      "Opens the listeners of every Gateway, follows the files as they change, and says what was accepted and what was\n" +
      "not. An object that becomes wrong does no harm: its last good version stays in force until it is mended.",
    arguments: [],
    flags: [
      { ...filename, required: false },
      ...clusterFlags,
      {
        name: "controller-name",
        value: "NAME",
        default: outsideControllerName,
        summary: "whose classes are ours, of a cluster",
      },
      driver,
      {
        name: "admin",
        value: "ADDRESS:PORT",
        default: defaultAdmin,
        summary: "where the admin endpoint listens, or off",
      },
      {
        name: "address",
        value: "ADDRESS",
        summary: "where listeners open whose Gateway names no address; :: for all (default 127.0.0.1)",
      },
      allowExternalNames,
      { name: "access-log", summary: "write a line of JSON for each request to standard output" },
      ...gatewayModeFlags,
      ...layerFlags,
      gateFlag,
      config,
    ],
    examples: [
      { line: "run -f gateways/", does: "serve a folder" },
      {
        line: "run -f gateways/ -f local.yaml --address ::",
        does: "and a file; be reachable from the network",
      },
      { line: "run --kubeconfig cluster.yaml", does: "a cluster's, from outside of it" },
    ],
    run: async (...args) => (await import("./run/run-command.ts")).runCommand(...args),
  },
  {
    name: "check",
    summary: "say what would be accepted and refused, without serving",
    description: "Ends with 1 if an object is invalid or refused, in full or in part.",
    arguments: [],
    flags: [
      filename,
      output(["table", "json", "yaml", "junit", "sarif"], "table"),
      { name: "allow-refused", summary: "end with 1 only for what is invalid, not for what is refused" },
      driver,
      allowExternalNames,
      ...gatewayModeFlags,
      ...layerFlags,
      gateFlag,
      config,
    ],
    examples: [
      { line: "check -f gateways/", does: "check a folder" },
      { line: "check -f - < shop.yaml", does: "check what a tool has rendered" },
      { line: "check -f gateways/ -o sarif > gatewright.sarif", does: "for CI" },
    ],
    run: async (...args) => (await import("./check/check-command.ts")).checkCommand(...args),
  },
  {
    name: "explain",
    summary: "say what would happen to a request, and why",
    description:
      "Walks the request from the port through TLS, hosts, rules and filters to the backends, with the reason at each\n" +
      "step. The port in the URL is the Gateway's. Ends with 0 whatever the answer is, and with 1 only if no object could be read.",
    arguments: [
      {
        name: "METHOD",
        required: false,
        default: "GET",
        summary: "such as POST (default GET)",
        suggestions: ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"],
      },
      {
        name: "URL",
        required: true,
        summary: "such as https://shop.example.com/cart?id=1, or udp://dns.example.com:53",
      },
    ],
    flags: [
      filename,
      {
        name: "header",
        short: "H",
        value: "'NAME: VALUE'",
        repeatable: true,
        summary: "a header of the request",
      },
      {
        name: "sni",
        value: "NAME",
        summary: "the server name in the TLS handshake, if it is not the URL's host",
      },
      { name: "client", value: "ADDRESS", summary: "who asks, where a route takes only some addresses" },
      { name: "gateway", value: "NAMESPACE/NAME", summary: "look at this Gateway only" },
      output(["tree", "json"], "tree"),
      driver,
      allowExternalNames,
      ...listenerPolicyFlags,
      ...layerFlags,
      gateFlag,
      config,
    ],
    examples: [
      { line: "explain GET http://shop.example.com/cart -f gateways/", does: "who takes this?" },
      { line: "explain GET https://a.example.com/ -H 'Host: b.example.com' -f gateways/", does: "and this?" },
      { line: "explain udp://dns.example.com:53 -f gateways/", does: "and datagrams?" },
    ],
    run: async (...args) => (await import("./explain/explain-command.ts")).explainCommand(...args),
  },
  {
    name: "get",
    summary: "list objects and statuses of a running Gatewright",
    arguments: [
      {
        name: "TYPE",
        required: true,
        summary:
          "gateways, routes, httproutes, all …; short names too. Several with commas; TYPE/NAME names one object",
        suggestions: kindWords(),
      },
      { name: "NAME", required: false, summary: "of one object" },
    ],
    flags: [
      { name: "namespace", short: "n", value: "NAMESPACE", summary: "only this namespace" },
      { name: "all-namespaces", short: "A", summary: "all namespaces, as without -n" },
      output(["table", "wide", "json", "yaml", "name"], "table"),
      {
        name: "admin",
        value: "ADDRESS:PORT",
        default: defaultAdmin,
        summary: "where its admin endpoint listens",
      },
    ],
    examples: [
      { line: "get gateways", does: "all Gateways" },
      { line: "get httproute cart -n shop -o yaml", does: "one route with its status" },
    ],
    run: async (...args) => (await import("./get/get-command.ts")).getCommand(...args),
  },
  {
    name: "controller",
    summary: "serve the Gateways of a Kubernetes cluster, each with proxies of its own",
    serves: "proxies",
    description:
      "Reads the cluster's objects, keeps a Deployment and a load balancer for each Gateway of its classes, programs their\n" +
      "proxies and writes statuses. Of several replicas the one that holds the Lease writes. Its log is lines of JSON on\n" +
      "standard error.",
    arguments: [],
    flags: [...controllerFlags, gateFlag],
    examples: [
      { line: "controller", does: "in a Pod" },
      {
        line: "controller --kubeconfig ~/.kube/config -n gatewright-system --no-leader-election",
        does: "from outside",
      },
    ],
    run: async (...args) => (await import("./controller/controller-command.ts")).controllerCommand(...args),
  },
  {
    name: "operator",
    summary: "be a controller that also looks after what must exist around the proxies",
    serves: "proxies",
    description:
      "Does all that gatewright controller does, in the same process and under the same Lease. It also holds the CRDs of the\n" +
      "Gateway API at the version that it knows, keeps others away from them, gives users their roles, and says how it\n" +
      "is in Platform cluster, or on OpenShift in ClusterOperator ingress.",
    arguments: [],
    flags: [
      {
        name: "profile",
        value: "NAME",
        choices: profileNames,
        default: "kubernetes",
        summary: "the platform",
      },
      {
        name: "compat",
        value: "NAME",
        choices: compats,
        default: "proposal",
        summary: "names on OpenShift",
      },
      {
        name: "data-plane",
        value: "NAME",
        choices: dataPlanes,
        default: "native",
        summary: "ourselves, or OpenShift's mesh",
      },
      {
        name: "gateway-api-operator-catalog",
        value: "NAME",
        summary: `of ossm (default ${defaultMesh.catalog})`,
      },
      {
        name: "gateway-api-operator-channel",
        value: "NAME",
        summary: `of ossm (default ${defaultMesh.channel})`,
      },
      {
        name: "gateway-api-operator-version",
        value: "CSV",
        summary: `(default ${defaultMesh.version})`,
      },
      { name: "istio-version", value: "VERSION", summary: `(default ${defaultMesh.istioVersion})` },
      {
        name: "mesh-manifests",
        value: "FILE",
        isPath: true,
        summary: "the control plane of ossm, for an install without OLM",
      },
      {
        name: "dns-namespace",
        value: "NAMESPACE",
        repeatable: true,
        summary: "on OpenShift, names of Gateways here too",
      },
      {
        name: "guest-kubeconfig",
        value: "FILE",
        isPath: true,
        summary: "look after this cluster, not after the one where it runs",
      },
      ...controllerFlags,
    ],
    examples: [
      { line: "operator", does: "in a Pod" },
      { line: "operator --guest-kubeconfig guest.yaml", does: "of a hosted control plane" },
    ],
    run: async (...args) => (await import("./controller/controller-command.ts")).operatorCommand(...args),
  },
  {
    name: "crds",
    summary: "keep, compare or check the CRDs of the Gateway API",
    description:
      "export writes those of a cluster as YAML, for a backup before an upgrade and for the way back; with --pinned, those of the\n" +
      "release that this program holds clusters at. diff says how a cluster's, or those in files, differ from that\n" +
      "release, and which of their fields have no effect. verify only says whether they do. Both end with 1 if so.",
    arguments: [
      {
        name: "ACTION",
        required: true,
        summary: "export, diff or verify",
        suggestions: ["export", "diff", "verify"],
      },
    ],
    flags: [
      { ...filename, required: false, summary: "look at these files instead of a cluster" },
      {
        name: "channel",
        value: "NAME",
        choices: ["standard", "experimental"],
        default: "standard",
        summary: "of the release",
      },
      { name: "pinned", summary: "export the release, not what a cluster has" },
      {
        name: "kubeconfig",
        value: "FILE",
        isPath: true,
        summary: "(default: $KUBECONFIG, the Pod's own, or ~/.kube/config)",
      },
      { name: "context", value: "NAME", summary: "of the kubeconfig" },
    ],
    examples: [
      { line: "crds export > before-upgrade.yaml", does: "a backup" },
      { line: "crds verify -f crds.yaml", does: "in CI" },
    ],
    run: async (...args) => (await import("./crds/crds-command.ts")).crdsCommand(...args),
  },
  {
    name: "migrate",
    summary: "print objects of the Gateway API that do what Ingresses do",
    description:
      "Reads Ingresses of any class, with the annotations of ingress-nginx. What could not be carried over is told on standard\n" +
      "error. An Ingress that would lose something that protects it is printed as it is: both are served side by side. Ends\n" +
      "with 1 if there is such a one, or an object is invalid.",
    arguments: [{ name: "KIND", required: true, summary: "ingress", suggestions: ["ingress"] }],
    flags: [
      filename,
      {
        name: "gateway",
        value: "NAMESPACE/NAME",
        default: "default/ingress",
        summary: "the Gateway that is to serve them",
      },
      {
        name: "gateway-class",
        value: "NAME",
        default: "gatewright",
        summary: "of that Gateway, if it is not among the objects",
      },
    ],
    examples: [{ line: "migrate ingress -f ingresses/ > gateways.yaml", does: "a folder" }],
    run: async (...args) => (await import("./migrate/migrate-command.ts")).migrateCommand(...args),
  },
  {
    name: "agent",
    summary: "be a proxy that a controller elsewhere programs",
    serves: "traffic",
    description:
      "What runs in the proxy Pods of a Gateway whose driver is not Envoy. It gets its configuration from the controller,\n" +
      "keeps serving when that is gone, and writes what happens as lines of JSON to standard error.",
    arguments: [],
    flags: [
      { ...driver, required: true },
      {
        name: "channel",
        value: "HOST:PORT",
        required: true,
        summary: "where the controller's channel listens",
      },
      {
        name: "certificates",
        value: "FOLDER",
        required: true,
        isPath: true,
        summary: "tls.crt, tls.key, ca.crt and session.key; read anew when they change",
      },
      {
        name: "name",
        value: "POD",
        summary: "of this proxy, for people (default: $POD_NAME or the host's name)",
      },
      {
        name: "status",
        value: "ADDRESS:PORT",
        default: "0.0.0.0:19001",
        summary: "where /ready and /metrics are, and nothing else",
      },
      {
        name: "readiness",
        value: "ADDRESS:PORT",
        default: "off",
        summary: "where /healthz/ready is, and nothing else: for load balancers",
      },
      { name: "access-log", summary: "write a line of JSON for each request to standard output" },
    ],
    examples: [
      {
        line: "agent --driver embedded --channel gatewright.gatewright-system:18000 --certificates /etc/gatewright/channel",
        does: "as in a Pod",
      },
    ],
    run: async (...args) => (await import("./agent/agent-command.ts")).agentCommand(...args),
  },
  {
    name: "mesh-peer",
    summary: "be a mesh's proxy in front of a workload",
    serves: "traffic",
    description:
      "EXPERIMENTAL (GEP-3951), not for production. Ends the mesh's mutual TLS in front of a workload: shows its certificate, and\n" +
      "lets in whoever the trust bundle in spec.ocg of the XMesh vouches for. Where that cannot be read, nobody is let in.",
    arguments: [],
    flags: [
      { ...filename, required: false },
      ...clusterFlags,
      { name: "mesh", value: "NAME", default: "gatewright", summary: "of the XMesh" },
      {
        name: "certificate",
        value: "NAMESPACE/NAME",
        required: true,
        summary: "of the Secret with the workload's certificate",
      },
      { name: "listen", value: "ADDRESS:PORT", default: "0.0.0.0:15443", summary: "where gateways find it" },
      {
        name: "workload",
        value: "ADDRESS:PORT",
        required: true,
        summary: "where requests go, in clear text",
      },
      {
        name: "protocol",
        value: "NAME",
        choices: ["http", "h2c"],
        default: "http",
        summary: "of the workload; h2c for gRPC",
      },
    ],
    examples: [
      { line: "mesh-peer -f mesh/ --certificate shop/web --workload 127.0.0.1:8080", does: "with files" },
      {
        line: "mesh-peer --kubeconfig cluster.yaml --certificate shop/web --workload 8080",
        does: "with a cluster's objects",
      },
    ],
    run: async (...args) => (await import("./mesh-peer/mesh-peer-command.ts")).meshPeerCommand(...args),
  },
  {
    name: "quickstart",
    summary: "start a small example with backends and a certificate, and try it with curl",
    serves: "traffic",
    arguments: [],
    flags: [{ name: "access-log", summary: "write a line of JSON for each request to standard output" }],
    examples: [{ line: "quickstart", does: "start it; Ctrl-C stops everything" }],
    run: async (...args) => (await import("./quickstart/quickstart-command.ts")).quickstartCommand(...args),
  },
  {
    name: "doctor",
    summary: "say what this machine has: proxies, their versions, the way to a cluster",
    description: "Ends with 3 if what --driver needs is not there. Nothing is changed by it.",
    arguments: [],
    flags: [
      { name: "driver", value: "NAME", choices: driverNames, summary: "the kind of proxy that is wanted" },
      output(["table", "json"], "table"),
    ],
    examples: [{ line: "doctor --driver envoy", does: "can Envoy be run here?" }],
    run: async (...args) => (await import("./doctor/doctor-command.ts")).doctorCommand(...args),
  },
  {
    name: "version",
    summary: "show the version",
    arguments: [],
    flags: [],
    examples: [],
    run: async (_, terminal) => {
      terminal.out(`gatewright ${readVersion()} (Gateway API v1.6.3, Node ${process.versions.node})`);
      return exitCode.fine;
    },
  },
  {
    name: "completion",
    summary: "write a script that completes command lines in a shell",
    arguments: [
      { name: "SHELL", required: true, summary: "bash, zsh or fish", suggestions: ["bash", "zsh", "fish"] },
    ],
    flags: [],
    examples: [{ line: "completion bash >> ~/.bashrc", does: "for good" }],
    run: async ({ arguments: [shell = ""] }, terminal) => {
      const scripts = await import("./completion/index.ts");
      switch (shell) {
        case "bash":
          await terminal.write(scripts.renderBashCompletion(programName, commands));
          return exitCode.fine;
        case "zsh":
          await terminal.write(scripts.renderZshCompletion(programName, commands));
          return exitCode.fine;
        case "fish":
          await terminal.write(scripts.renderFishCompletion(programName, commands));
          return exitCode.fine;
        default:
          return misuse(terminal, `there is no completion for ${shell}; there is bash, zsh and fish`);
      }
    },
  },
  {
    name: "help",
    summary: "say how to use a command",
    arguments: [
      {
        name: "COMMAND",
        required: false,
        summary: "the command",
        get suggestions() {
          return commands.map(({ name }) => name);
        },
      },
    ],
    flags: [],
    examples: [],
    run: async ({ arguments: [name] }, terminal) => {
      const command = commands.find((candidate) => candidate.name === name);
      if (name !== undefined && !command)
        return misuse(terminal, `there is no command ${name}; see gatewright help`);
      const { outStyle } = terminal;
      terminal.out(command ? renderHelp(command, outStyle) : renderOverview(commands, outStyle));
      return exitCode.fine;
    },
  },
];
