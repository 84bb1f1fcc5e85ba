import type { Collection, Graph, Read } from "../incremental/index.ts";
import type { Certificate } from "../model/index.ts";
import type { Gateway } from "../resources/index.ts";
import { verdict, type Verdict } from "../status/index.ts";
import type { Judged } from "./certificates.ts";
import type { OwnClass } from "./gateway-classes.ts";
import { grantAdvice, permits, type ReferencePermissions } from "./reference-grants.ts";
import type { Resources } from "./resources.ts";
import { gatewayGroup, type TranslateSettings } from "./settings.ts";

/** A Gateway that is ours to serve. */
export interface OwnGateway {
  /** `namespace/name` */
  readonly key: string;
  readonly controllerName: string;
  readonly gateway: Gateway;
  /** Whether anything of it may be served at all. */
  readonly usable: boolean;
  readonly accepted: Verdict;
  /** References of the Gateway as a whole. */
  readonly resolvedRefs: Verdict;
  /** `Certificate` key of what is shown to backends. */
  readonly clientCertificate: string | undefined;
}

export interface GatewayInputs {
  readonly resources: Resources;
  readonly classes: Collection<OwnClass>;
  readonly keyPairs: Collection<Judged<Certificate>>;
  readonly permissions: ReferencePermissions;
  readonly settings: TranslateSettings;
}

export function ownGateways(graph: Graph, inputs: GatewayInputs): Collection<OwnGateway> {
  return graph.map("own gateways", inputs.resources.gateways, (gateway, read, key) => {
    const ownClass = classOf(gateway, read, inputs);
    return ownClass && judgeGateway(gateway, key, ownClass, read, inputs);
  });
}

const resolved = verdict("ResolvedRefs", "True", "ResolvedRefs", "All references are resolved");

function classOf(gateway: Gateway, read: Read, inputs: GatewayInputs): OwnClass | undefined {
  const { classes, resources, settings } = inputs;
  const name = gateway.spec.gatewayClassName;
  const found = read.one(classes, name);
  if (found || !settings.implicitClasses || read.one(resources.gatewayClasses, name)) return found;
  return { name, controllerName: settings.controllerNames[0] ?? "", accepted: true };
}

function judgeGateway(
  gateway: Gateway,
  key: string,
  ownClass: OwnClass,
  read: Read,
  inputs: GatewayInputs,
): OwnGateway {
  const accepted = judgeAcceptance(gateway, ownClass);
  const client = resolveClientCertificate(gateway, read, inputs);
  return {
    key,
    controllerName: ownClass.controllerName,
    gateway,
    usable: accepted.status === "True",
    accepted,
    resolvedRefs: client.verdict,
    clientCertificate: client.certificate,
  };
}

function judgeAcceptance(gateway: Gateway, ownClass: OwnClass): Verdict {
  const { addresses = [], infrastructure } = gateway.spec;
  if (!ownClass.accepted) {
    return verdict(
      "Accepted",
      "False",
      "InvalidParameters",
      `GatewayClass ${ownClass.name} is not accepted; see its status`,
    );
  }
  if (infrastructure?.parametersRef) {
    const { group, kind, name } = infrastructure.parametersRef;
    return verdict(
      "Accepted",
      "False",
      "InvalidParameters",
      `spec.infrastructure.parametersRef: ${group}/${kind} ${name} is not a kind of parameters that Gatewright knows; remove it`,
    );
  }
  const unsupported = addresses.findIndex(({ type }) => type !== "IPAddress" && type !== "Hostname");
  if (unsupported >= 0) {
    return verdict(
      "Accepted",
      "False",
      "UnsupportedAddress",
      `spec.addresses[${unsupported}].type: ${addresses[unsupported]?.type} is not supported; use IPAddress or Hostname`,
    );
  }
  return verdict("Accepted", "True", "Accepted", "The Gateway is accepted");
}

/** Spec: GatewayBackendTLS.clientCertificateRef. */
function resolveClientCertificate(
  gateway: Gateway,
  read: Read,
  { keyPairs, permissions }: GatewayInputs,
): { readonly verdict: Verdict; readonly certificate: string | undefined } {
  const ref = gateway.spec.tls?.backend?.clientCertificateRef;
  if (!ref) return { verdict: resolved, certificate: undefined };
  const field = "spec.tls.backend.clientCertificateRef";
  const own = gateway.metadata.namespace;
  const namespace = ref.namespace ?? own;
  const refuse = (reason: string, message: string) => ({
    verdict: verdict("ResolvedRefs", "False", reason, `${field}: ${message}`),
    certificate: undefined,
  });
  if (ref.group !== "" || ref.kind !== "Secret") {
    return refuse(
      "InvalidClientCertificateRef",
      `${ref.group || "core"}/${ref.kind} cannot hold a certificate; refer to a Secret`,
    );
  }
  const reference = {
    from: { group: gatewayGroup, kind: "Gateway", namespace: own },
    to: { group: "", kind: "Secret", namespace, name: ref.name },
  };
  if (!permits(read, permissions, reference)) return refuse("RefNotPermitted", grantAdvice(reference));
  const pair = read.one(keyPairs, `${namespace}/${ref.name}`);
  if (!pair) return refuse("InvalidClientCertificateRef", `Secret ${namespace}/${ref.name} does not exist`);
  if (!pair.ok)
    return refuse("InvalidClientCertificateRef", `Secret ${namespace}/${ref.name} ${pair.problem}`);
  return { verdict: resolved, certificate: pair.value.key };
}
