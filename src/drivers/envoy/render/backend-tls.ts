/*
 * TLS to backends. Whom to trust comes by secret discovery, so that a changed authority does not touch the cluster.
 */
import type { BackendTls } from "../../../model/index.ts";
import type {
  CertificateValidationContext,
  SubjectAltNameMatcher,
  TransportSocket,
} from "../generated/messages.ts";
import { ads } from "./config-source.ts";
import { secretNames } from "./names.ts";

/** No certificate has this hash: where nothing is to be trusted, nothing is valid. */
export const nobody: CertificateValidationContext = { verifyCertificateHash: ["0".repeat(64)] };

export function renderBackendTls(
  tls: BackendTls,
  isHttp: boolean,
  systemRoots: string,
  isHttp2: boolean,
): TransportSocket {
  const matchers = subjectAltNames(tls);
  const names: CertificateValidationContext =
    matchers.length > 0 ? { matchTypedSubjectAltNames: matchers } : {};
  const { trusted, clientCertificate } = tls;
  return {
    name: "envoy.transport_sockets.tls",
    typedConfig: {
      type: "envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext",
      value: {
        ...(tls.hostname === undefined ? {} : { sni: tls.hostname }),
        commonTlsContext: {
          ...(isHttp ? { alpnProtocols: isHttp2 ? ["h2"] : ["h2", "http/1.1"] } : {}),
          ...(clientCertificate === undefined
            ? {}
            : {
                tlsCertificateSdsSecretConfigs: [
                  { name: secretNames.certificate(clientCertificate), sdsConfig: ads },
                ],
              }),
          ...(trusted === "system"
            ? { validationContext: { trustedCa: { filename: systemRoots }, ...names } }
            : trusted.length === 0
              ? { validationContext: nobody }
              : {
                  combinedValidationContext: {
                    defaultValidationContext: names,
                    validationContextSdsSecretConfig: { name: secretNames.trust(trusted), sdsConfig: ads },
                  },
                }),
        },
      },
    },
  };
}

function subjectAltNames({ hostname, subjectAltNames: names }: BackendTls): readonly SubjectAltNameMatcher[] {
  if (names.length === 0) {
    return hostname === undefined ? [] : [{ sanType: "DNS", matcher: { exact: hostname } }];
  }
  return names.map(({ type, value }) => ({
    sanType: type === "uri" ? "URI" : "DNS",
    matcher: { exact: value },
  }));
}
