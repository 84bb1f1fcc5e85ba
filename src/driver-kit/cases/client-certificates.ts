import assert from "node:assert/strict";
import type { ConnectionOptions } from "node:tls";
import type { ClientValidation } from "../../model/index.ts";
import { makeCa, makeCertificate, type MadeAuthority, type MadeCertificate } from "../certificates.ts";
import { casesOf } from "../contract-case.ts";
import { rule } from "../items.ts";
import type { Plane } from "../plane.ts";
import { seenHeader } from "../traffic/seen-request.ts";

const test = casesOf("client certificates");
const feature = "GatewayFrontendClientCertificateValidation";
const insecure = "GatewayFrontendClientCertificateValidationInsecureFallback";

async function serveValidated(
  plane: Plane,
  mode: ClientValidation["mode"],
  authorities: readonly MadeAuthority[],
) {
  const ca = await makeCa();
  const web = await plane.http("web");
  const trusted = authorities.map((_, index) => `ConfigMap/kit/clients-${index}/ca.crt`);
  const site = await plane.serveTls(
    { "a.test": { type: "http", certificates: ["Secret/kit/a"] } },
    {
      certificates: [
        { key: "Secret/kit/a", ...(await makeCertificate({ names: ["a.test"], ca })) },
        ...authorities.map(({ certificate }, index) => ({
          key: trusted[index]!,
          certificates: certificate,
        })),
      ],
      rules: [rule("/", web)],
      listener: { clientValidation: { trusted, mode } },
    },
  );
  const get = (shown?: MadeCertificate, headers: Readonly<Record<string, string>> = {}) => {
    const tls: ConnectionOptions = {
      ca: ca.certificate,
      servername: "a.test",
      ...(shown ? { cert: shown.certificates, key: shown.privateKey } : {}),
    };
    return site.get("/", { host: "a.test", tls, headers });
  };
  return { ...site, web, get, trusted };
}

const client = (ca: MadeAuthority, more: Parameters<typeof makeCertificate>[0] = {}) =>
  makeCertificate({ names: ["client.test"], clientAuth: true, ca, ...more });

export const clientCertificateCases = [
  test("a client with a valid certificate is served", feature, async (plane) => {
    const authority = await makeCa();
    const { get } = await serveValidated(plane, "require", [authority]);
    assert.equal((await get(await client(authority))).from, "web");
    const between = await makeCa({ parent: authority });
    assert.equal((await get(await client(between))).from, "web", "with an authority in between");
  }),

  test("a client without a valid certificate is not served", feature, async (plane) => {
    const [authority, other] = [await makeCa(), await makeCa()];
    const { get, web } = await serveValidated(plane, "require", [authority]);
    await assert.rejects(get(), "without a certificate");
    await assert.rejects(get(await client(other)), "of another authority");
    await assert.rejects(get(await client(authority, { expired: true })), "expired");
    await assert.rejects(get(await client(authority, { notYetValid: true })), "not yet valid");
    await assert.rejects(get(await client(authority, { clientAuth: false })), "not made for clients");
    await assert.rejects(get(await makeCertificate({ clientAuth: true })), "self-signed");
    const posing = await makeCa({ name: authority.name });
    await assert.rejects(get(await client(posing)), "of an authority of the same name");
    assert.equal(web.requests.length, 0);
  }),

  test("several authorities are trusted alike", feature, async (plane) => {
    const [one, two] = [await makeCa(), await makeCa()];
    const { get } = await serveValidated(plane, "require", [one, two]);
    assert.equal((await get(await client(one))).from, "web");
    assert.equal((await get(await client(two))).from, "web");
  }),

  test("without a trusted authority nobody is served", feature, async (plane) => {
    const { get } = await serveValidated(plane, "require", []);
    await assert.rejects(get());
    await assert.rejects(get(await client(await makeCa())));
  }),

  test("authorities may change, and validation may begin and end", feature, async (plane) => {
    const [one, two] = [await makeCa(), await makeCa()];
    const { get, listener, trusted } = await serveValidated(plane, "require", [one]);
    await plane.apply({ certificates: [{ key: trusted[0]!, certificates: two.certificate }] });
    await assert.rejects(get(await client(one)));
    assert.equal((await get(await client(two))).from, "web");
    const { clientValidation: _, ...open } = listener;
    await plane.apply({ listeners: [open] });
    assert.equal((await get()).from, "web");
    await plane.apply({ listeners: [listener] });
    await assert.rejects(get());
    assert.equal((await get(await client(two))).from, "web");
  }),

  test("what a client says about its certificate is not passed on", feature, async (plane) => {
    const authority = await makeCa();
    const { get } = await serveValidated(plane, "require", [authority]);
    const headers = { "x-forwarded-client-cert": "Subject=forged" };
    const answer = await get(await client(authority), headers);
    assert.doesNotMatch(seenHeader(answer.seen!, "x-forwarded-client-cert") ?? "", /forged/);
  }),

  test("with the insecure fallback everybody is served", insecure, async (plane) => {
    const [authority, other] = [await makeCa(), await makeCa()];
    const { get } = await serveValidated(plane, "allow-insecure", [authority]);
    assert.equal((await get(await client(authority))).from, "web");
    assert.equal((await get()).from, "web", "without a certificate");
    assert.equal((await get(await client(other))).from, "web", "of another authority");
    assert.equal((await get(await client(authority, { expired: true }))).from, "web", "expired");
  }),

  test(
    "with the insecure fallback also those are served whose signature does not fit",
    insecure,
    async (plane) => {
      const twin = { name: "Twin CA", algorithm: "rsa", isPlain: true } as const;
      const [authority, other] = [await makeCa(twin), await makeCa(twin)];
      const { get } = await serveValidated(plane, "allow-insecure", [authority]);
      for (let tries = 0; tries < 3; tries++) {
        assert.equal((await get(await client(other))).from, "web", "of another authority with the same name");
        assert.equal((await get(await client(authority))).from, "web");
      }
    },
  ),
];
