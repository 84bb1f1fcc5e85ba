import { describe, expect, it } from "vitest";
import { makeCa, makeCertificate } from "../../test/certificates.ts";
import { isSignedBy } from "./certificates.ts";

describe("isSignedBy", () => {
  it("4.9: follows a chain to an authority, through those between", async () => {
    const root = await makeCa();
    const upper = await makeCa({ parent: root });
    const lower = await makeCa({ parent: upper });
    const { certificates } = await makeCertificate({ ca: lower, clientAuth: true });
    const other = await makeCa();
    expect(isSignedBy(certificates, other.certificate + root.certificate)).toBe(true);
    expect(isSignedBy(certificates, upper.certificate)).toBe(true);
    expect(isSignedBy(certificates, other.certificate)).toBe(false);
    // Without those between, nobody knows the way.
    const [leaf = ""] = certificates.split(/(?<=-----END CERTIFICATE-----\n)/);
    expect(isSignedBy(leaf, root.certificate)).toBe(false);
    expect(isSignedBy(leaf, lower.certificate)).toBe(true);
  });

  it("is not deceived by an authority of the same name, or a certificate that may not sign", async () => {
    const [real, forged] = [
      await makeCa({ name: "CA", isPlain: true }),
      await makeCa({ name: "CA", isPlain: true }),
    ];
    const { certificates } = await makeCertificate({ ca: forged, clientAuth: true });
    expect(isSignedBy(certificates, real.certificate)).toBe(false);
    expect(isSignedBy("", real.certificate)).toBe(false);
  });
});
