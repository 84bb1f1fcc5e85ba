import type { Read } from "../incremental/index.ts";
import type { Certificate, ClientValidation } from "../model/index.ts";
import type { Gateway } from "../resources/index.ts";
import { verdict, type Verdict } from "../status/index.ts";
import { describeAbsence } from "./absent-objects.ts";
import { judgeCaBundle } from "./certificates.ts";
import type { OwnGateway } from "./gateways.ts";
import type { Section } from "./section.ts";
import type { ListenerInputs } from "./listener-inputs.ts";
import { grantAdvice, permits } from "./reference-grants.ts";
import { gatewayGroup } from "./settings.ts";

const fallbackFeature = "GatewayFrontendClientCertificateValidationInsecureFallback";

export interface ResolvedClientValidation {
  readonly validation: ClientValidation | undefined;
  readonly bundles: readonly Certificate[];
  /** ResolvedRefs of the listener. */
  readonly problem: Verdict | undefined;
  /** Accepted of the listener, where no CA is left to check clients with. */
  readonly accepted: Verdict | undefined;
}

/** Spec: `spec.tls.frontend` of the Gateway, by port or else its default, for listeners that handle HTTPS. */
export function resolveClientValidation(
  section: Section,
  { gateway, driver }: OwnGateway,
  read: Read,
  inputs: ListenerInputs,
): ResolvedClientValidation {
  const none = { validation: undefined, bundles: [], problem: undefined, accepted: undefined };
  const found = section.spec.protocol === "HTTPS" ? validationOf(gateway, section.spec.port) : undefined;
  if (!found) return none;
  const { field, validation } = found;
  const mode = validation.mode === "AllowInsecureFallback" ? "allow-insecure" : "require";
  const needed = mode === "require" ? "GatewayFrontendClientCertificateValidation" : fallbackFeature;
  if (!driver.features.has(needed)) {
    const message = `the Gateway's ${field}: client certificates (${validation.mode}) cannot be checked here; remove it`;
    return { ...none, accepted: verdict("Accepted", "False", "UnsupportedValue", message) };
  }
  const bundles: Certificate[] = [];
  const problems: Verdict[] = [];
  for (const [index, ref] of validation.caCertificateRefs.entries()) {
    const refuse = (reason: string, message: string) =>
      problems.push(
        verdict(
          "ResolvedRefs",
          "False",
          reason,
          `the Gateway's ${field}.caCertificateRefs[${index}]: ${message}`,
        ),
      );
    const namespace = ref.namespace ?? gateway.metadata.namespace;
    const name = `${namespace}/${ref.name}`;
    if (ref.group !== "" || ref.kind !== "ConfigMap") {
      refuse(
        "InvalidCACertificateKind",
        `${ref.group || "core"}/${ref.kind} cannot hold CA certificates; refer to a ConfigMap`,
      );
      continue;
    }
    const reference = {
      from: { group: gatewayGroup, kind: "Gateway", namespace: gateway.metadata.namespace },
      to: { group: "", kind: "ConfigMap", namespace, name: ref.name },
    };
    if (!permits(read, inputs.permissions, reference)) {
      refuse("RefNotPermitted", grantAdvice(reference));
      continue;
    }
    const configMap = read.one(inputs.resources.configMaps, name);
    if (!configMap) {
      refuse(
        "InvalidCACertificateRef",
        `ConfigMap ${name} ${describeAbsence(read, inputs.resources.invalidObjects, "ConfigMap", name)}`,
      );
      continue;
    }
    const bundle = judgeCaBundle(configMap, "ca.crt", `ConfigMap/${name}/ca.crt`);
    if (bundle.ok) bundles.push(bundle.value);
    else refuse("InvalidCACertificateRef", `ConfigMap ${name} ${bundle.problem}`);
  }
  const accepted =
    bundles.length > 0
      ? undefined
      : verdict(
          "Accepted",
          "False",
          "NoValidCACertificate",
          `the Gateway's ${field} has no CA certificate that can be used; see ResolvedRefs`,
        );
  return {
    validation: { trusted: bundles.map(({ key }) => key), mode },
    bundles,
    problem: problems[0],
    accepted,
  };
}

export function validationOf(gateway: Gateway, port: number) {
  const frontend = gateway.spec.tls?.frontend;
  const index = frontend?.perPort?.findIndex((entry) => entry.port === port) ?? -1;
  const perPort = frontend?.perPort?.[index];
  const validation = perPort ? perPort.tls.validation : frontend?.default.validation;
  const field = perPort
    ? `spec.tls.frontend.perPort[${index}].tls.validation`
    : "spec.tls.frontend.default.validation";
  return validation && { field, validation };
}

/** Spec: the Gateway says so whether or not it has a listener that is meant: one of a ListenerSet may be. */
export function allowsInsecureFallback({ gateway, driver }: OwnGateway): boolean {
  const { default: all, perPort = [] } = gateway.spec.tls?.frontend ?? {};
  const configs = all ? [all, ...perPort.map(({ tls }) => tls)] : [];
  return (
    driver.features.has(fallbackFeature) &&
    configs.some(({ validation }) => validation?.mode === "AllowInsecureFallback")
  );
}
