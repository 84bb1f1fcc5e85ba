import { createHash } from "node:crypto";
import type { Certificate, ModelKind } from "../../model/index.ts";

/** An item of the model for people. Keys are never shown; of certificates only a fingerprint, which tells whether they changed. */
export function showItem(kind: ModelKind, item: unknown): unknown {
  return kind === "certificates" ? showCertificate(item as Certificate) : item;
}

function showCertificate({ key, certificates, privateKey }: Certificate) {
  const sha256 = createHash("sha256").update(certificates).digest("hex");
  return { key, sha256, ...(privateKey !== undefined && { privateKey: "(hidden)" }) };
}
