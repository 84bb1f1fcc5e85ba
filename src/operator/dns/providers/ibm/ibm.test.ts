/** IBM's core SDK against a stand-in for IBM Cloud. */
import { afterAll, describe, expect, it } from "vitest";
import { cisRefusal, startIbm, type IbmStandIn } from "../../../../../test/dns/ibm/ibm-stand-in.ts";
import {
  describeProvider,
  describeStrangeAnswers,
  failure,
} from "../../../../../test/dns/provider-contract.ts";
import type { DnsProvider, RecordSet } from "../../provider.ts";
import { createProvider } from "./index.ts";

const apiKey = "api-key-of-ibm-cloud-0123456789";
const credentials = new Map([["ibmcloud_api_key", apiKey]]);
const cisInstance = "crn:v1:bluemix:public:internet-svcs:global:a/account-1:cis-1::";
const settings = {
  cisInstanceCRN: cisInstance,
  dnsInstanceCRN: "crn:v1:bluemix:public:dns-svcs:global:a/account-1:dns-1::",
};
const publicZone = { id: "0123456789abcdef0123456789abcdef" };
const otherZone = { id: "fedcba9876543210fedcba9876543210" };
const privateZone = { id: "internal.example:5fb2b3a1-0000-4000-8000-000000000001" };
const otherPrivateZone = { id: "internal2.example:5fb2b3a1-0000-4000-8000-000000000002" };
const www: RecordSet = { name: "www.example.com", type: "A", ttl: 300, values: ["192.0.2.1"] };

const toEnd: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of toEnd.toReversed()) await end();
});

async function begin(given: ReadonlyMap<string, string> = credentials) {
  const ibm = await startIbm({
    apiKey,
    cisInstance,
    cisZones: [publicZone.id, otherZone.id],
    dnsInstance: "dns-1",
    dnsZones: [privateZone.id, otherPrivateZone.id],
  });
  const provider = createProvider({ credentials: given, settings }, ibm.endpoints);
  toEnd.push(
    () => provider.stop(),
    () => ibm.stop(),
  );
  return { ibm, provider };
}

let shared: Promise<{ ibm: IbmStandIn; provider: DnsProvider }> | undefined;
/** A record that stands already is refused. */
const common = { ttl: 120, otherTtl: 300, knowsConditions: true };

describeProvider("IBM Internet Services", async () => {
  const { provider } = await (shared ??= begin());
  return {
    provider,
    zone: publicZone,
    domain: "example.com",
    otherZone,
    otherDomain: "example.org",
    missingZone: { id: "00000000000000000000000000000000" },
    missingDomain: "none.example",
    ...common,
  };
});

describeProvider("IBM DNS Services", async () => {
  const { provider } = await (shared ??= begin());
  return {
    provider,
    zone: privateZone,
    domain: "internal.example",
    otherZone: otherPrivateZone,
    otherDomain: "internal2.example",
    missingZone: { id: "none.example:00000000" },
    missingDomain: "none.example",
    ...common,
  };
});

for (const [zone, domain] of [
  [publicZone, "example.com"],
  [privateZone, "internal.example"],
] as const) {
  describeStrangeAnswers(`IBM, ${domain}`, async () => {
    const { ibm, provider } = await begin();
    const isMeant = ({ path }: { path: string }) => !path.endsWith("/token");
    return { provider, zone, domain, answerNext: (answer) => ibm.answerNext(isMeant, answer) };
  });
}

describe("IBM: what is sent", () => {
  it("to Internet Services is one batch, in which records take on new values", async () => {
    const { ibm, provider } = await begin();
    const both = { ...www, values: ["192.0.2.1", "192.0.2.2"] };
    const mark: RecordSet = { name: "_mark.www.example.com", type: "TXT", ttl: 30, values: ['"ours"'] };
    await provider.change(publicZone, [
      { type: "put", set: mark, found: null },
      { type: "put", set: both, found: null },
    ]);
    expect(ibm.takeCalls()).toEqual([
      "POST /iam/identity/token",
      `POST /cis/v1/${cisInstance}/zones/${publicZone.id}/dns_records/batch`,
    ]);
    expect(ibm.requests.at(-1)?.body).toEqual({
      posts: [
        // Less than two minutes is not taken.
        { name: "_mark.www.example.com", type: "TXT", ttl: 120, content: '"\\"ours\\""' },
        { name: "www.example.com", type: "A", ttl: 300, content: "192.0.2.1", proxied: false },
        { name: "www.example.com", type: "A", ttl: 300, content: "192.0.2.2", proxied: false },
      ],
    });
    const [found] = await provider.look(publicZone, [www.name]);
    await provider.change(publicZone, [
      { type: "put", set: { ...www, values: ["192.0.2.2", "192.0.2.9"] }, found: found! },
    ]);
    expect(ibm.requests.at(-1)?.body).toEqual({
      puts: [
        { id: "cis-2", name: "www.example.com", type: "A", ttl: 300, content: "192.0.2.9", proxied: false },
      ],
    });
    // A record of those that were found is gone.
    const [now] = await provider.look(publicZone, [www.name]);
    await provider.change(publicZone, [{ type: "remove", set: now!, found: now! }]);
    const late = await failure(provider.change(publicZone, [{ type: "put", set: www, found: now! }]));
    expect(late).toMatchObject({ isStale: true });
  });

  it("reads a large zone once, and asks for a few names of it by name", async () => {
    const { ibm, provider } = await begin();
    const sets = Array.from({ length: 210 }, (_, i): RecordSet => ({ ...www, name: `n${i}.example.com` }));
    await provider.change(
      publicZone,
      sets.map((set) => ({ type: "put", set, found: null })),
    );
    ibm.takeCalls();
    const names = sets.map(({ name }) => name);
    expect(await provider.look(publicZone, names)).toHaveLength(210);
    expect(ibm.takeCalls()).toHaveLength(3);
    expect(await provider.look(publicZone, ["n7.example.com", "none.example.com"])).toEqual([sets[7]]);
    expect(ibm.requests.at(-1)?.query.get("name")).toBe("none.example.com");
    // What stands already is not put.
    await provider.change(publicZone, [{ type: "put", set: sets[7]! }]);
    expect(ibm.takeCalls().filter((call) => call.startsWith("POST"))).toEqual([]);
  });

  it("to DNS Services is one record at a time, marks first, with TTLs that it takes", async () => {
    const { ibm, provider } = await begin();
    const set: RecordSet = { name: "www.internal.example", type: "A", ttl: 100, values: ["10.0.0.1"] };
    const mark: RecordSet = { name: "_mark.internal.example", type: "TXT", ttl: 50_000, values: ["ours"] };
    await provider.change(privateZone, [
      { type: "put", set, found: null },
      { type: "put", set: mark, found: null },
    ]);
    expect(ibm.requests.slice(-2).map(({ body }) => body)).toEqual([
      { name: "_mark.internal.example", type: "TXT", ttl: 43_200, rdata: { text: "ours" } },
      { name: "www.internal.example", type: "A", ttl: 120, rdata: { ip: "10.0.0.1" } },
    ]);
    const [found] = await provider.look(privateZone, [set.name]);
    await provider.change(privateZone, [
      { type: "put", set: { ...set, values: ["10.0.0.2"] }, found: found! },
    ]);
    const path = `/dns-svcs/v1/instances/dns-1/dnszones/${privateZone.id}/resource_records`;
    expect(ibm.requests.at(-1)).toMatchObject({
      method: "PUT",
      path: `${path}/dns-2`,
      body: { name: "www.internal.example", ttl: 120, rdata: { ip: "10.0.0.2" } },
    });
    await provider.change(privateZone, [{ type: "remove", set, found: found! }]);
    // It is gone already.
    await provider.change(privateZone, [{ type: "remove", set, found: found! }]);
  });

  it("lists DNS Services in pages", async () => {
    const { ibm, provider } = await begin();
    const values = Array.from({ length: 230 }, (_, i) => `10.0.${i >> 8}.${i & 255}`);
    const set: RecordSet = { name: "many.internal.example", type: "A", ttl: 60, values };
    await provider.change(privateZone, [{ type: "put", set, found: null }]);
    ibm.takeCalls();
    expect(await provider.look(privateZone, [set.name])).toEqual([set]);
    expect(ibm.takeCalls()).toHaveLength(2);
  });
});

describe("IBM: what is answered", () => {
  const isBatch = ({ path }: { path: string }) => path.endsWith("/batch");

  it("too often: the time that IBM names is waited for, and told if it was not enough", async () => {
    const { ibm, provider } = await begin();
    const throttled = { ...cisRefusal(429, 10_000, "Rate limited."), headers: { "retry-after": "1" } };
    for (let i = 0; i < 3; i++) ibm.answerNext(isBatch, throttled);
    const error = await failure(provider.change(publicZone, [{ type: "put", set: www, found: null }]));
    expect(error).toMatchObject({ isThrottled: true, retryAfter: 1000 });
    expect(ibm.requests.filter(isBatch)).toHaveLength(3);
    await provider.change(publicZone, [{ type: "put", set: www, found: null }]);
  });

  it("a wrong API key: says so, without the key", async () => {
    const { provider } = await begin(new Map([["ibmcloud_api_key", "wrong-api-key-0123456789"]]));
    const error = await failure(provider.look(publicZone, [www.name]));
    expect(error).toMatchObject({
      isDenied: true,
      message: expect.stringContaining("BXNIM0415E: Provided API key could not be found."),
    });
    const said = JSON.stringify(error, Object.getOwnPropertyNames(error));
    expect(said).not.toContain("wrong-api-key-0123456789");
  });

  it("not permitted: says what is not", async () => {
    const { ibm, provider } = await begin();
    ibm.answerNext(isBatch, cisRefusal(403, 9109, "Manager is required for dns_records."));
    const error = await failure(provider.change(publicZone, [{ type: "put", set: www, found: null }]));
    expect(error).toMatchObject({
      isDenied: true,
      message: expect.stringContaining("9109: Manager is required for dns_records. (HTTP 403)"),
    });
  });
});

describe("IBM: what is given", () => {
  it("has to name an instance, and the API key", async () => {
    expect(() => createProvider({ credentials, settings: {} })).toThrow("cisInstanceCRN");
    expect(() => createProvider({ credentials: new Map(), settings })).toThrow("ibmcloud_api_key");
    const provider = createProvider({ credentials, settings: { cisInstanceCRN: cisInstance } });
    const error = await failure(provider.look(privateZone, ["a.internal.example"]));
    expect(error.message).toContain("dnsInstanceCRN");
    await provider.stop();
  });
});
