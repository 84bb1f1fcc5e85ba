import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { commonName, makeCa, makeCertificate, signCertificate } from "../../../../test/certificates.ts";
import { certificateProblem } from "./certificate-problem.ts";

const key = "Secret/shop/web";

describe("certificates that Envoy cannot use", () => {
  it("are named with the reason, and nothing of the key", async () => {
    const ca = await makeCa();
    const good = await makeCertificate({ names: ["a.test"], ca });
    const other = await makeCertificate({ names: ["a.test"], ca });
    expect(certificateProblem({ key, ...good })).toBeUndefined();
    expect(certificateProblem({ key, certificates: ca.certificate })).toBeUndefined();
    const problems = [
      certificateProblem({ key, certificates: "none" }),
      certificateProblem({
        key,
        certificates: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
      }),
      certificateProblem({ key, ...good, privateKey: other.privateKey }),
      certificateProblem({ key, ...good, privateKey: "none" }),
      certificateProblem({
        key,
        ...good,
        privateKey: generateKeyPairSync("ed25519")
          .privateKey.export({ type: "pkcs8", format: "pem" })
          .toString(),
      }),
    ];
    expect(problems.map((problem) => problem?.replace(`${key}: `, ""))).toEqual([
      "there is no PEM block CERTIFICATE in it",
      "certificate 1 of 1 cannot be read",
      "the private key is not the one of the first certificate; put the server's certificate first",
      "the private key cannot be read; it must be one PEM block",
      "the private key is not the one of the first certificate; put the server's certificate first",
    ]);
  });

  it("are those whose curve is told by its parameters", async () => {
    const pair = generateKeyPairSync("ec", { namedCurve: "prime256v1", paramEncoding: "explicit" });
    const name = commonName("a.test");
    const certificates = signCertificate({
      subject: name,
      publicKey: createPublicKey({ key: pair.publicKey.export({ format: "jwk" }), format: "jwk" }),
      issuer: name,
      signingKey: pair.privateKey,
      notBefore: new Date(Date.now() - 3_600_000),
      notAfter: new Date(Date.now() + 3_600_000),
      extensions: [],
    });
    const privateKey = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    expect(certificateProblem({ key, certificates, privateKey })).toBe(
      `${key}: Envoy takes EC keys only where the curve is told by its name, not by its parameters`,
    );
  });
});
