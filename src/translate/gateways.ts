import type { Collection, Graph, Read } from "../incremental/index.ts";
import type { Certificate } from "../model/index.ts";
import type { Gateway, ProxyConfigSpec } from "../resources/index.ts";
import { verdict, type Verdict } from "../status/index.ts";
import type { Judged } from "./certificates.ts";
import { describeAbsence } from "./absent-objects.ts";
import { implicitClass, type OwnClass } from "./gateway-classes.ts";
import { judgeGatewayMesh, type GatewayMesh } from "./gateway-mesh.ts";
import type { Gates } from "./gates.ts";
import { acceptedMessage } from "./ingate-words.ts";
import type { Meshes } from "./meshes.ts";
import {
  chooseDriver,
  mergeParameters,
  resolveParameters,
  type ChosenDriver,
  type ResolvedParameters,
} from "./proxy-parameters.ts";
import { grantAdvice, permits, type ReferencePermissions } from "./reference-grants.ts";
import type { Resources } from "./resources.ts";
import { gatewayGroup, singleGatewayClass, type TranslateSettings } from "./settings.ts";

/** A Gateway that is ours to serve. */
export interface OwnGateway {
  /** `namespace/name` */
  readonly key: string;
  readonly controllerName: string;
  readonly gateway: Gateway;
  /** What its proxies are, by its own ProxyConfig, else its class's, else the default. */
  readonly driver: ChosenDriver;
  /** Of its own ProxyConfig and its class's, put together. */
  readonly parameters: ProxyConfigSpec;
  /** Whether anything of it may be served at all. */
  readonly usable: boolean;
  readonly accepted: Verdict;
  /** References of the Gateway as a whole. */
  readonly resolvedRefs: Verdict;
  /** `Certificate` key of what is shown to backends. */
  readonly clientCertificate: string | undefined;
  /** What `spec.mesh` comes to. */
  readonly mesh: GatewayMesh | undefined;
  /** Nobody wrote it: it serves layers alone (`stood-up-gateway.ts`). */
  readonly isStoodUp: boolean;
}

export interface GatewayInputs {
  readonly resources: Resources;
  readonly stoodUp: Collection<Gateway>;
  readonly classes: Collection<OwnClass>;
  readonly keyPairs: Collection<Judged<Certificate>>;
  readonly permissions: ReferencePermissions;
  readonly meshes: Meshes;
  readonly gates: Gates | undefined;
  readonly settings: TranslateSettings;
}

export function ownGateways(graph: Graph, inputs: GatewayInputs): Collection<OwnGateway> {
  const { singleGateway } = inputs.settings;
  const written = graph.map("own gateways", inputs.resources.gateways, (gateway, read, key) => {
    if (singleGateway) {
      if (singleGateway.gateway !== key) return undefined;
      return judgeGateway(
        asSingle(gateway),
        key,
        implicitClass(singleGatewayClass, inputs.settings),
        read,
        inputs,
      );
    }
    const ownClass = classOf(gateway, read, inputs);
    return ownClass && judgeGateway(gateway, key, ownClass, read, inputs);
  });
  const stoodUp = graph.map("own stood-up gateways", inputs.stoodUp, (gateway, read, key) => {
    const name = gateway.spec.gatewayClassName;
    const ownClass = read.one(inputs.classes, name) ?? implicitClass(name, inputs.settings);
    return { ...judgeGateway(gateway, key, ownClass, read, inputs), isStoodUp: true };
  });
  return graph.union("served gateways", [written, stoodUp]);
}

/** Its proxies are the same whatever class it names, and where they are reached is not its to say. */
function asSingle(gateway: Gateway): Gateway {
  const { addresses: _addresses, ...spec } = gateway.spec;
  return { ...gateway, spec: { ...spec, gatewayClassName: singleGatewayClass } };
}

const resolved = verdict("ResolvedRefs", "True", "ResolvedRefs", "All references are resolved");

function classOf(gateway: Gateway, read: Read, inputs: GatewayInputs): OwnClass | undefined {
  const { classes, resources, settings } = inputs;
  const name = gateway.spec.gatewayClassName;
  const found = read.one(classes, name);
  if (found || !settings.implicitClasses || read.one(resources.gatewayClasses, name)) return found;
  return implicitClass(name, settings);
}

function judgeGateway(
  gateway: Gateway,
  key: string,
  ownClass: OwnClass,
  read: Read,
  inputs: GatewayInputs,
): OwnGateway {
  const parameters = resolveOwnParameters(gateway, read, inputs);
  const merged = mergeParameters(parameters.ok ? parameters.spec : undefined, ownClass.parameters);
  const accepted = judgeAcceptance(gateway, ownClass, parameters);
  const client = resolveClientCertificate(gateway, read, inputs);
  const mesh = judgeGatewayMesh(gateway, client.certificate, read, inputs);
  return {
    key,
    controllerName: ownClass.controllerName,
    gateway,
    driver: chooseDriver(merged.driver, inputs.settings),
    parameters: merged,
    usable: accepted.status === "True",
    accepted,
    resolvedRefs: client.verdict.status === "True" ? (bundleVerdict(mesh) ?? client.verdict) : client.verdict,
    clientCertificate: client.certificate,
    mesh,
    isStoodUp: false,
  };
}

function bundleVerdict(mesh: GatewayMesh | undefined): Verdict | undefined {
  if (!mesh || mesh.trust.ok || mesh.trust.reason !== "InvalidCACertificateRef") return undefined;
  return verdict("ResolvedRefs", "False", mesh.trust.reason, mesh.trust.problem);
}

/** Spec: an object in the Gateway's own namespace. */
function resolveOwnParameters(
  { metadata, spec }: Gateway,
  read: Read,
  inputs: GatewayInputs,
): ResolvedParameters {
  const local = spec.infrastructure?.parametersRef;
  const ref = local && { ...local, namespace: metadata.namespace };
  return resolveParameters({ ref, field: "spec.infrastructure.parametersRef" }, read, inputs);
}

function judgeAcceptance(gateway: Gateway, ownClass: OwnClass, parameters: ResolvedParameters): Verdict {
  const { addresses = [] } = gateway.spec;
  if (ownClass.problem !== undefined) {
    return verdict(
      "Accepted",
      "False",
      "InvalidParameters",
      `GatewayClass ${ownClass.name} is not accepted; see its status`,
    );
  }
  if (!parameters.ok) return verdict("Accepted", "False", "InvalidParameters", parameters.problem);
  const unsupported = addresses.findIndex(({ type }) => type !== "IPAddress" && type !== "Hostname");
  if (unsupported >= 0) {
    return verdict(
      "Accepted",
      "False",
      "UnsupportedAddress",
      `spec.addresses[${unsupported}].type: ${addresses[unsupported]?.type} is not supported; use IPAddress or Hostname`,
    );
  }
  return verdict("Accepted", "True", "Accepted", acceptedMessage("gateway", ownClass.controllerName));
}

/** Spec: GatewayBackendTLS.clientCertificateRef. */
function resolveClientCertificate(
  gateway: Gateway,
  read: Read,
  { keyPairs, permissions, resources }: GatewayInputs,
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
  if (!pair) {
    const absence = describeAbsence(read, resources.invalidObjects, "Secret", `${namespace}/${ref.name}`);
    return refuse("InvalidClientCertificateRef", `Secret ${namespace}/${ref.name} ${absence}`);
  }
  if (!pair.ok)
    return refuse("InvalidClientCertificateRef", `Secret ${namespace}/${ref.name} ${pair.problem}`);
  return { verdict: resolved, certificate: pair.value.key };
}
