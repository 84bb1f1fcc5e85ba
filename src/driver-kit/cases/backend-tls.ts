import assert from "node:assert/strict";
import type { BackendTls } from "../../model/index.ts";
import { makeCa, makeCertificate, type CertificateOptions, type MadeAuthority } from "../certificates.ts";
import { casesOf } from "../contract-case.ts";
import { rule } from "../items.ts";
import type { Plane, Site } from "../plane.ts";

const test = casesOf("TLS to backends");
const feature = "BackendTLSPolicy";
const authorityKey = "ConfigMap/kit/authority/ca.crt";

interface Serving {
  /** Of the certificate that the backend shows. */
  readonly certificate?: Partial<CertificateOptions>;
  /** Of what is asked of it. */
  readonly tls?: Partial<BackendTls>;
  /** The authority that is trusted; by default the one that signed. */
  readonly trusted?: MadeAuthority;
  readonly http2?: boolean;
}

async function serveSecured(plane: Plane, { certificate, tls, trusted, http2 = false }: Serving = {}) {
  const ca = await makeCa();
  const made = await makeCertificate({ names: ["web.test"], ca, ...certificate });
  const web = await plane.http(
    "web",
    { tls: made, http2 },
    { tls: { hostname: "web.test", trusted: [authorityKey], subjectAltNames: [], ...tls } },
  );
  const site = await plane.serve([rule("/", web)], {
    certificates: [{ key: authorityKey, certificates: (trusted ?? ca).certificate }],
  });
  return { ...site, web, ca };
}

/** Nothing of a request may reach a backend that is not who it should be. */
async function assertNotServed({ get }: Site, why: string): Promise<void> {
  const { status } = await get("/");
  assert.ok(status >= 500, `${why}: ${status}`);
}

export const backendTlsCases = [
  test("a backend with the right certificate is used, by its name", feature, async (plane) => {
    const { get } = await serveSecured(plane);
    const { seen } = await get("/x", { host: "outside.test" });
    assert.equal(seen?.backend, "web");
    assert.equal(seen.tls?.serverName, "web.test");
    assert.equal(seen.host, "outside.test");
    assert.equal(seen.tls.clientCertificate, undefined);
  }),

  test("HTTP/2 over TLS", feature, async (plane) => {
    const { get } = await serveSecured(plane, { http2: true });
    assert.equal((await get("/")).seen?.protocol, "HTTP/2");
  }),

  test("a certificate between leaf and root is followed", feature, async (plane) => {
    const root = await makeCa();
    const between = await makeCa({ parent: root });
    const { get } = await serveSecured(plane, { certificate: { ca: between }, trusted: root });
    assert.equal((await get("/")).from, "web");
  }),

  test("a backend of another authority is not used", feature, async (plane) => {
    const site = await serveSecured(plane, { trusted: await makeCa() });
    await assertNotServed(site, "another authority");
    assert.equal(site.web.requests.length, 0);
  }),

  test("a backend with another name is not used", feature, async (plane) => {
    const site = await serveSecured(plane, { certificate: { names: ["other.test"] } });
    await assertNotServed(site, "another name");
    assert.equal(site.web.requests.length, 0);
  }),

  test("a backend whose certificate has expired is not used", feature, async (plane) => {
    await assertNotServed(await serveSecured(plane, { certificate: { expired: true } }), "expired");
  }),

  test("without a trusted authority no backend is used", feature, async (plane) => {
    await assertNotServed(await serveSecured(plane, { tls: { trusted: [] } }), "nothing is trusted");
  }),

  test("the machine's own authorities do not vouch for ours", feature, async (plane) => {
    await assertNotServed(await serveSecured(plane, { tls: { trusted: "system" } }), "system roots");
  }),

  test("a backend that does not speak TLS is not used", feature, async (plane) => {
    const ca = await makeCa();
    const plain = await plane.http(
      "plain",
      {},
      { tls: { hostname: "web.test", trusted: [authorityKey], subjectAltNames: [] } },
    );
    const site = await plane.serve([rule("/", plain)], {
      certificates: [{ key: authorityKey, certificates: ca.certificate }],
    });
    await assertNotServed(site, "no TLS");
    assert.equal(plain.requests.length, 0);
  }),

  test("an authority that is put right makes the backend usable", feature, async (plane) => {
    const site = await serveSecured(plane, { trusted: await makeCa() });
    await assertNotServed(site, "the wrong authority");
    await plane.apply({ certificates: [{ key: authorityKey, certificates: site.ca.certificate }] });
    assert.equal((await site.get("/")).from, "web");
  }),

  test(
    "names are checked instead of the host where they are given",
    "BackendTLSPolicySANValidation",
    async (plane) => {
      const names = { names: ["internal.test", "more.test"], uris: ["spiffe://kit/web"] };
      const expect = async (subjectAltNames: BackendTls["subjectAltNames"], isServed: boolean) => {
        const site = await serveSecured(plane, { certificate: names, tls: { subjectAltNames } });
        if (isServed) assert.equal((await site.get("/")).from, "web", JSON.stringify(subjectAltNames));
        else await assertNotServed(site, JSON.stringify(subjectAltNames));
      };
      await expect([{ type: "hostname", value: "internal.test" }], true);
      await expect([{ type: "uri", value: "spiffe://kit/web" }], true);
      await expect(
        [
          { type: "hostname", value: "none.test" },
          { type: "uri", value: "spiffe://kit/web" },
        ],
        true,
      );
      await expect([{ type: "hostname", value: "none.test" }], false);
      await expect([{ type: "uri", value: "spiffe://kit/other" }], false);
      await expect([{ type: "uri", value: "internal.test" }], false);
    },
  ),

  test("without a name the chain alone is checked", "BackendChainValidation", async (plane) => {
    const ca = await makeCa();
    const serve = async (signer: MadeAuthority, options: Partial<CertificateOptions> = {}) => {
      const made = await makeCertificate({ uris: ["spiffe://kit/web"], ca: signer, ...options });
      const web = await plane.http(
        "web",
        { tls: made },
        { tls: { trusted: [authorityKey], subjectAltNames: [] } },
      );
      const site = await plane.serve([rule("/", web)], {
        certificates: [{ key: authorityKey, certificates: ca.certificate }],
      });
      return { ...site, web };
    };
    const { seen } = await (await serve(ca)).get("/");
    assert.equal(seen?.backend, "web");
    assert.ok(seen.tls && seen.tls.serverName === undefined, JSON.stringify(seen.tls));
    const [another, expired] = [await serve(await makeCa()), await serve(ca, { expired: true })];
    await assertNotServed(another, "another authority");
    await assertNotServed(expired, "expired");
    assert.equal(another.web.requests.length + expired.web.requests.length, 0);
  }),

  test(
    "the server name stays the host where other names are checked",
    "BackendTLSPolicySANValidation",
    async (plane) => {
      const { get } = await serveSecured(plane, {
        certificate: { names: ["internal.test"] },
        tls: { subjectAltNames: [{ type: "hostname", value: "internal.test" }] },
      });
      assert.equal((await get("/")).seen?.tls?.serverName, "web.test");
    },
  ),

  test(
    "the gateway shows its own certificate to a backend",
    "GatewayBackendClientCertificate",
    async (plane) => {
      const [ca, clients] = [await makeCa(), await makeCa()];
      const made = await makeCertificate({ names: ["web.test"], ca });
      const shown = await makeCertificate({ commonName: "the gateway", clientAuth: true, ca: clients });
      const web = await plane.http(
        "web",
        { tls: { ...made, clientAuthority: clients.certificate } },
        {
          tls: {
            hostname: "web.test",
            trusted: [authorityKey],
            subjectAltNames: [],
            clientCertificate: "Secret/kit/gateway",
          },
        },
      );
      const { get } = await plane.serve([rule("/", web)], {
        certificates: [
          { key: authorityKey, certificates: ca.certificate },
          { key: "Secret/kit/gateway", ...shown },
        ],
      });
      assert.equal((await get("/")).seen?.tls?.clientCertificate, "the gateway");
    },
  ),
];
