/*
 * How TLS is terminated. On one listener of a proxy, certificates of HTTP server names are asked for when a client first needs them, by the
 * server name itself: however many there are, the listener stays the same. Envoy asks by nothing but the name, so it can be only one listener;
 * other listeners, and names with several certificates, have filter chains that name their certificates.
 */
import type { ClientValidation, Listener } from "../../../model/index.ts";
import type { CommonTlsContext, TransportSocket } from "../generated/messages.ts";
import { nobody } from "./backend-tls.ts";
import { ads } from "./config-source.ts";
import { secretNames } from "./names.ts";

/** Who sends no server name asks for this one, which only `*` takes. */
export const noServerName = "no-server-name";

export interface TerminationOptions {
  /** Keys of certificates; `on demand` for those of the server name. */
  readonly certificates: readonly string[] | "on demand";
  readonly isHttp: boolean;
}

export function renderTermination(
  { clientValidation }: Listener,
  { certificates, isHttp }: TerminationOptions,
): TransportSocket {
  return {
    name: "envoy.transport_sockets.tls",
    typedConfig: {
      type: "envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext",
      value: {
        commonTlsContext: {
          tlsParams: { tlsMinimumProtocolVersion: "TLSv1_2" },
          ...(isHttp ? { alpnProtocols: ["h2", "http/1.1"] } : {}),
          ...(certificates === "on demand" ? onDemand : named(certificates)),
          ...(clientValidation ? renderValidation(clientValidation) : {}),
        },
        ...(clientValidation?.mode === "require" ? { requireClientCertificate: true } : {}),
        // A session must not be carried into another section, nor past a client certificate that is no longer trusted.
        disableStatelessSessionResumption: true,
        disableStatefulSessionResumption: true,
      },
    },
  };
}

const onDemand: CommonTlsContext = {
  customTlsCertificateSelector: {
    name: "on-demand",
    typedConfig: {
      type: "envoy.extensions.transport_sockets.tls.cert_selectors.on_demand_secret.v3.Config",
      value: {
        configSource: ads,
        certificateMapper: {
          name: "sni",
          typedConfig: {
            type: "envoy.extensions.transport_sockets.tls.cert_mappers.sni.v3.SNI",
            value: { defaultValue: noServerName },
          },
        },
      },
    },
  },
};

function named(certificates: readonly string[]): CommonTlsContext {
  return {
    tlsCertificateSdsSecretConfigs: certificates.map((key) => ({
      name: secretNames.certificate(key),
      sdsConfig: ads,
    })),
  };
}

function renderValidation({ trusted, mode }: ClientValidation): CommonTlsContext {
  const isLenient = mode === "allow-insecure";
  if (trusted.length === 0) return isLenient ? {} : { validationContext: nobody };
  return {
    combinedValidationContext: {
      defaultValidationContext: isLenient
        ? { trustChainVerification: "ACCEPT_UNTRUSTED", allowExpiredCertificate: true }
        : {},
      validationContextSdsSecretConfig: { name: secretNames.trust(trusted), sdsConfig: ads },
    },
  };
}
