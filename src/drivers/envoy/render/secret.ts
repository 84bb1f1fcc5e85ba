import type { Certificate } from "../../../model/index.ts";
import type { Secret } from "../generated/messages.ts";
import { secretNames } from "./names.ts";

/** A certificate with its key, under a name; `undefined` for a bundle of authorities. */
export function renderCertificate(
  { certificates, privateKey }: Certificate,
  name: string,
): Secret | undefined {
  if (privateKey === undefined) return undefined;
  return {
    name,
    tlsCertificate: {
      certificateChain: { inlineString: certificates },
      privateKey: { inlineString: privateKey },
    },
  };
}

/** The authorities of several bundles as one. */
export function renderTrust(keys: readonly string[], bundles: readonly Certificate[]): Secret {
  const pem = bundles.map(({ certificates }) => certificates.trim()).join("\n");
  return { name: secretNames.trust(keys), validationContext: { trustedCa: { inlineString: `${pem}\n` } } };
}
