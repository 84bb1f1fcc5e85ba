import { describe, expect, it } from "vitest";
import { dryRunOf, secretYaml } from "../../test/controller/dry-objects.ts";
import { commonName, signCertificate } from "../../test/certificates.ts";
import { makeKeys } from "../certificates/certificate.ts";
import { certificateNotes, describeValidity } from "./certificate-notes.ts";
import { explain } from "./explain/index.ts";

const gateway = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec:
  gatewayClassName: gatewright
  listeners:
    - name: https
      port: 443
      protocol: HTTPS
      hostname: shop.example.com
      tls: { certificateRefs: [{ name: shop-tls }] }
`;

const day = 24 * 60 * 60 * 1000;
const inDays = (days: number) => new Date(Date.now() + days * day);
/** Made certificates are good for 365 days from now. */
async function tell(names: readonly string[], now: Date) {
  const { controller } = await dryRunOf(gateway, await secretYaml("shop-tls", names));
  const result = explain({ method: "GET", url: "https://shop.example.com/", now }, controller);
  return {
    notes: certificateNotes(controller, now).map(({ message }) => message),
    explained: JSON.stringify(result),
  };
}

describe("a certificate", () => {
  it("is no news while it is good", async () => {
    for (const names of [["shop.example.com"], ["other.example.com", "*.example.com"]]) {
      expect((await tell(names, inDays(0))).notes).toEqual([]);
    }
  });

  it.each([
    [361.5, /^Secret shop\/shop-tls: its certificate expires in 3 days, on \d{4}-\d\d-\d\d: renew it$/],
    [364.5, /^Secret shop\/shop-tls: its certificate expires in less than a day, on/],
    [366, /^Secret shop\/shop-tls: its certificate expired on [-\d]+, so clients refuse it: renew it$/],
    [
      -31,
      /^Secret shop\/shop-tls: its certificate is not valid before [-\d]+; until then clients refuse it$/,
    ],
  ])("is told of after %s days", async (days, expected) => {
    const { notes, explained } = await tell(["shop.example.com"], inDays(days));
    expect(notes).toEqual([expect.stringMatching(expected)]);
    expect(explained).toContain(notes[0]);
  });

  it("is told of if it is for other hosts than the listener", async () => {
    const stranger =
      "the certificate for shop.example.com (Secret shop/shop-tls) is for a.test, *.b.test, so clients refuse it";
    const { notes, explained } = await tell(["a.test", "*.b.test"], inDays(0));
    expect(notes).toEqual([`listener https of Gateway shop/web: ${stranger}`]);
    expect(explained).toContain(stranger);
    expect((await tell([], inDays(0))).notes[0]).toContain("is for no host (it has no subjectAltName)");
  });

  it("has a place in the files, and changes no verdict", async () => {
    const { notes, objects } = await dryRunOf(gateway, await secretYaml("shop-tls", ["a.test"]));
    expect(notes).toMatchObject([{ rule: "certificate", place: { origin: "-", line: 1 } }]);
    expect(objects.map(({ verdict }) => verdict?.result ?? "accepted")).toEqual(["accepted", "accepted"]);
  });

  it("of a short life is told of late in it", async () => {
    const { publicKey, privateKey } = await makeKeys();
    const name = commonName("shop.example.com");
    const certificates = signCertificate({
      subject: name,
      publicKey,
      issuer: name,
      signingKey: privateKey,
      notBefore: inDays(-1),
      notAfter: inDays(5),
      extensions: [],
    });
    const certificate = { key: "Secret/shop/shop-tls", certificates, privateKey: "-" };
    expect(describeValidity(certificate, inDays(0))).toBeUndefined();
    expect(describeValidity(certificate, inDays(3.5))).toMatch(/^its certificate expires in 1 day, on/);
  });
});
