/** Certificates that are broken, or are no longer allowed: only the listener that has them suffers. */
import { connect } from "node:tls";
import { describe, expect, it } from "vitest";
import { makeCertificate } from "../certificates.ts";
import {
  gatewayStatus,
  openShop,
  TlsTraffic,
  tlsAnswer,
  types,
  useChart,
  type Condition,
} from "./installed-chart.ts";
import { until, type Lab } from "./lab.ts";

const begin = useChart(["replicas=1", "proxies.driver=envoy", "proxyConfig.replicas=1"]);
const onlyGood = { 200: expect.any(Number) as number };
const patience = { seconds: 60, every: 250 };
const long = 300_000;

async function keep(
  lab: Lab,
  namespace: string,
  name: string,
  host: string,
  brokenKey?: string,
): Promise<void> {
  const { certificates, privateKey } = await makeCertificate({ names: [host] });
  await lab.client.apply(
    types.secrets,
    {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name, namespace },
      type: "kubernetes.io/tls",
      stringData: { "tls.crt": certificates, "tls.key": brokenKey ?? privateKey },
    },
    { force: true },
  );
}

const objects = `
apiVersion: v1
kind: Namespace
metadata: { name: vault }
---
apiVersion: gateway.networking.k8s.io/v1
kind: ReferenceGrant
metadata: { name: certificates, namespace: vault }
spec:
  from: [{ group: gateway.networking.k8s.io, kind: Gateway, namespace: shop }]
  to: [{ group: "", kind: Secret, name: granted }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: safe, namespace: shop }
spec:
  gatewayClassName: gatewright
  listeners:
    - { name: a, port: 443, protocol: HTTPS, hostname: a.test, tls: { certificateRefs: [{ name: a }] } }
    - { name: b, port: 443, protocol: HTTPS, hostname: b.test, tls: { certificateRefs: [{ name: b }] } }
    - { name: granted, port: 443, protocol: HTTPS, hostname: granted.test, tls: { certificateRefs: [{ name: granted, namespace: vault }] } }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: safe, namespace: shop }
spec:
  parentRefs: [{ name: safe }]
  rules: [{ backendRefs: [{ name: echo, port: 80 }] }]
`;

let opened: Promise<string> | undefined;
function openSafe(lab: Lab): Promise<string> {
  opened ??= (async () => {
    await openShop(lab);
    await lab.kubectl("create", "namespace", "vault");
    for (const name of ["a", "b"]) await keep(lab, "shop", name, `${name}.test`);
    await keep(lab, "vault", "granted", "granted.test");
    await lab.apply(objects);
    await lab.kubectl("wait", "-n", "shop", "--for=condition=Programmed", "gateway/safe", "--timeout=90s");
    const address = (await gatewayStatus(lab, "safe")).addresses![0]!.value;
    for (const host of ["a.test", "b.test", "granted.test"]) {
      await until(host, async () => (await tlsAnswer(address, host)) === "200", patience);
    }
    return address;
  })();
  return opened;
}

async function conditionsOf(lab: Lab, listener: string): Promise<readonly Condition[]> {
  const { listeners } = await gatewayStatus(lab, "safe");
  return listeners.find(({ name }) => name === listener)!.conditions;
}

const hasReason = async (lab: Lab, listener: string, reason: string) =>
  (await conditionsOf(lab, listener)).some((condition) => condition.reason === reason);

/** The names in the certificate that is shown, if one is. */
function shown(address: string, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port: 443, servername: host, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().subjectaltname);
      socket.destroy();
    });
    socket.on("error", () => resolve(undefined));
  });
}

describe("certificates", () => {
  it(
    "attack 6: a Secret with a broken key harms its own listener only, and heals when it is repaired",
    async (context) => {
      const lab = await begin(context);
      const address = await openSafe(lab);
      const traffic = new TlsTraffic(address, "b.test");
      const before = await conditionsOf(lab, "b");
      for (const key of ["rubbish", (await makeCertificate({ names: ["a.test"] })).privateKey]) {
        await keep(lab, "shop", "a", "a.test", key);
        await until("its own words", () => hasReason(lab, "a", "InvalidCertificateRef"), patience);
        await until("its end", async () => (await shown(address, "a.test")) === undefined, patience);
        expect(await conditionsOf(lab, "b")).toEqual(before);
        await keep(lab, "shop", "a", "a.test");
        await until("its return", async () => (await tlsAnswer(address, "a.test")) === "200", patience);
        await until("no words", async () => !(await hasReason(lab, "a", "InvalidCertificateRef")), patience);
      }
      expect(await conditionsOf(lab, "b")).toEqual(before);
      expect(await traffic.stop()).toEqual(onlyGood);
    },
    long,
  );

  it(
    "attack 12: a grant that is deleted takes the certificate from the proxy",
    async (context) => {
      const lab = await begin(context);
      const address = await openSafe(lab);
      const traffic = new TlsTraffic(address, "b.test");
      const before = await conditionsOf(lab, "b");
      await lab.kubectl("delete", "referencegrant", "certificates", "-n", "vault");
      const began = performance.now();
      await until("its end", async () => (await shown(address, "granted.test")) === undefined, patience);
      expect(performance.now() - began).toBeLessThan(10_000);
      await until("RefNotPermitted", () => hasReason(lab, "granted", "RefNotPermitted"), patience);
      expect(await conditionsOf(lab, "b")).toEqual(before);
      await lab.apply(objects);
      await until("its return", async () => (await tlsAnswer(address, "granted.test")) === "200", patience);
      expect(await traffic.stop()).toEqual(onlyGood);
    },
    long,
  );
});
