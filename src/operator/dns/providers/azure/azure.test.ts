/** Azure's own SDKs against a stand-in for Azure. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { startAzure, type AzureStandIn } from "../../../../../test/dns/azure/azure-stand-in.ts";
import {
  describeProvider,
  describeStrangeAnswers,
  failure,
} from "../../../../../test/dns/provider-contract.ts";
import type { DnsProvider, RecordSet } from "../../provider.ts";
import { createProvider } from "./index.ts";

const group = "/subscriptions/sub-1/resourceGroups/rg/providers/Microsoft.Network";
const publicZone = { id: `${group}/dnsZones/example.com` };
const otherZone = { id: `${group}/dnsZones/example.org` };
const privateZone = { id: `${group}/privateDnsZones/internal.example` };
const otherPrivateZone = { id: `${group}/privateDnsZones/internal2.example` };
const secret = "Zm9v~client-secret-of-azure";
const credentials = new Map([
  ["azure_tenant_id", "tenant-1"],
  ["azure_client_id", "client-1"],
  ["azure_client_secret", secret],
]);

const toEnd: (() => Promise<unknown> | void)[] = [];
afterAll(async () => {
  for (const end of toEnd.toReversed()) await end();
});

async function begin(given: ReadonlyMap<string, string> = credentials) {
  const azure = await startAzure({
    tenant: "tenant-1",
    client: "client-1",
    secret,
    federatedToken: "header.payload.signature",
    zones: [publicZone, otherZone, privateZone, otherPrivateZone].map(({ id }) => id),
    pageSize: 7,
  });
  const provider = createProvider({ credentials: given, settings: {} }, { httpClient: azure.httpClient });
  toEnd.push(
    () => provider.stop(),
    () => azure.stop(),
  );
  return { azure, provider };
}

let shared: Promise<{ azure: AzureStandIn; provider: DnsProvider }> | undefined;
const common = { missingDomain: "none.example", ttl: 30, otherTtl: 300, knowsConditions: true };

describeProvider("Azure DNS", async () => {
  const { provider } = await (shared ??= begin());
  const missingZone = { id: `${group}/dnsZones/none.example` };
  const [domain, otherDomain] = ["example.com", "example.org"];
  return { provider, zone: publicZone, domain, otherZone, otherDomain, missingZone, ...common };
});

describeProvider("Azure Private DNS", async () => {
  const { provider } = await (shared ??= begin());
  return {
    provider,
    zone: privateZone,
    domain: "internal.example",
    otherZone: otherPrivateZone,
    otherDomain: "internal2.example",
    missingZone: { id: `${group}/privateDnsZones/none.example` },
    ...common,
  };
});

for (const [zone, domain] of [
  [publicZone, "example.com"],
  [privateZone, "internal.example"],
] as const) {
  describeStrangeAnswers(`Azure, ${domain}`, async () => {
    const { azure, provider } = await begin();
    const isMeant = ({ path }: { path: string }) => !path.endsWith("/token");
    return { provider, zone, domain, answerNext: (answer) => azure.answerNext(isMeant, answer) };
  });
}

const www: RecordSet = { name: "www.example.com", type: "A", ttl: 30, values: ["192.0.2.1"] };

describe("Azure: what is sent", () => {
  it("is one request for each set, with the condition that what was found still stands", async () => {
    const { azure, provider } = await begin();
    await provider.change(publicZone, [{ type: "put", set: www, found: null }]);
    const created = azure.requests.at(-1);
    expect(created).toMatchObject({
      method: "PUT",
      path: `/management.azure.com${publicZone.id}/A/www`,
      headers: { "if-none-match": "*", authorization: "Bearer eyJ0.token-of-the-stand-in.sig" },
      body: { properties: { TTL: 30, ARecords: [{ ipv4Address: "192.0.2.1" }] } },
    });
    const [found] = await provider.look(publicZone, [www.name]);
    const moved: RecordSet = { ...www, values: ["192.0.2.2"] };
    await provider.change(publicZone, [{ type: "put", set: moved, ...(found && { found }) }]);
    expect(azure.requests.at(-1)?.headers["if-match"]).toBe("etag-1");
    // What was found is no longer there.
    const late = await failure(provider.change(publicZone, [{ type: "remove", set: www, found: found! }]));
    expect(late).toMatchObject({ isStale: true });
    expect(await provider.look(publicZone, [www.name])).toEqual([moved]);
  });

  it("asks for a token once, and for a few names of a large zone by name", async () => {
    const { azure, provider } = await begin();
    const sets = Array.from({ length: 70 }, (_, i): RecordSet => {
      return { ...www, name: `n${i}.example.com` };
    });
    await provider.change(
      publicZone,
      sets.map((set) => ({ type: "put", set, found: null })),
    );
    azure.takeCalls();
    const all = await provider.look(
      publicZone,
      sets.map(({ name }) => name),
    );
    expect(all).toHaveLength(70);
    expect(azure.takeCalls()).toHaveLength(10);
    expect(await provider.look(publicZone, ["n5.example.com"])).toEqual([sets[5]]);
    expect(azure.takeCalls()).toHaveLength(4);
    expect(await provider.look(publicZone, ["none.example.com"])).toEqual([]);
    const tokens = azure.requests.filter(({ path }) => path.includes("/token"));
    expect(tokens).toHaveLength(1);
  });

  it("puts marks before and removes them after what they mark", async () => {
    const { azure, provider } = await begin();
    const mark: RecordSet = { name: "_mark.www.example.com", type: "TXT", ttl: 30, values: ["ours"] };
    await provider.change(publicZone, [
      { type: "put", set: www, found: null },
      { type: "put", set: mark, found: null },
    ]);
    await provider.change(publicZone, [
      { type: "remove", set: mark },
      { type: "remove", set: www },
    ]);
    const calls = azure.requests.filter(({ path }) => path.includes("dnsZones"));
    expect(calls.map(({ method, path }) => `${method} ${path.split("/").slice(-2).join("/")}`)).toEqual([
      "PUT TXT/_mark.www",
      "PUT A/www",
      "DELETE A/www",
      "DELETE TXT/_mark.www",
    ]);
  });

  it("takes the domain alone for a zone of the resource group of the settings", async () => {
    const { azure } = await begin();
    const settings = { resourceGroup: "rg", subscription: "sub-1" };
    const provider = createProvider({ credentials, settings }, { httpClient: azure.httpClient });
    await provider.change({ id: "example.com" }, [{ type: "put", set: www }]);
    expect(azure.requests.at(-1)?.path).toBe(`/management.azure.com${publicZone.id}/A/www`);
    expect((await failure(provider.look({ id: "/x/y" }, ["a"]))).message).toContain("no resource id");
    expect((await failure(provider.look({}, ["a"]))).message).toContain("no id");
    await provider.stop();
  });
});

describe("Azure: what is answered", () => {
  it("too often: the time that Azure names is waited for, and told if it was not enough", async () => {
    const { azure, provider } = await begin();
    const throttled = {
      status: 429,
      headers: { "retry-after": "0" },
      body: { error: { code: "TooManyRequests", message: "The request is being throttled." } },
    };
    const isPut = ({ method }: { method: string }) => method === "PUT";
    azure.answerNext(isPut, throttled);
    await provider.change(publicZone, [{ type: "put", set: www }]);
    expect(azure.requests.filter(isPut)).toHaveLength(2);
    for (let i = 0; i < 3; i++) azure.answerNext(isPut, throttled);
    const error = await failure(provider.change(publicZone, [{ type: "put", set: www }]));
    expect(error).toMatchObject({
      isThrottled: true,
      retryAfter: 0,
      message: expect.stringContaining("TooManyRequests: The request is being throttled."),
    });
  });

  it("wrong secret: says so without the secret", async () => {
    const { provider } = await begin(new Map([...credentials, ["azure_client_secret", "wrong-secret-123"]]));
    const error = await failure(provider.look(publicZone, ["www.example.com"]));
    expect(error).toMatchObject({
      isDenied: true,
      message: expect.stringContaining("AADSTS7000215: Invalid client secret provided: ***"),
    });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain("wrong-secret-123");
  });

  it("not permitted: says what is not", async () => {
    const { azure, provider } = await begin();
    const message =
      "The client 'client-1' does not have authorization to perform action 'Microsoft.Network/dnsZones/A/write'.";
    azure.answerNext(({ method }) => method === "PUT", {
      status: 403,
      body: { error: { code: "AuthorizationFailed", message } },
    });
    const error = await failure(provider.change(publicZone, [{ type: "put", set: www }]));
    expect(error).toMatchObject({ isDenied: true, message: expect.stringContaining(message) });
  });

  it("an error of the service's own is tried again", async () => {
    const { azure, provider } = await begin();
    azure.answerNext(({ method }) => method === "PUT", { status: 503 });
    await provider.change(publicZone, [{ type: "put", set: www }]);
    expect(await provider.look(publicZone, [www.name])).toEqual([www]);
  });
});

describe("Azure: credentials", () => {
  it("may be a token of the service account", async () => {
    const folder = mkdtempSync(join(tmpdir(), "gatewright-azure-"));
    toEnd.push(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "token");
    writeFileSync(file, "header.payload.signature\n");
    const given = new Map([...credentials, ["azure_federated_token_file", file]]);
    given.delete("azure_client_secret");
    const { provider } = await begin(given);
    expect(await provider.look(publicZone, ["none.example.com"])).toEqual([]);
    const without = await begin(new Map([...given, ["azure_federated_token_file", join(folder, "none")]]));
    expect(await failure(without.provider.look(publicZone, ["a.example.com"]))).toMatchObject({
      isDenied: true,
      message: expect.stringContaining("ENOENT"),
    });
  });

  it("that are missing are named, and so is a cloud that does not exist", () => {
    const given = new Map([["azure_tenant_id", "t"]]);
    expect(() => createProvider({ credentials: given, settings: {} })).toThrow("azure_client_id");
    expect(() => createProvider({ credentials, settings: { cloud: "Other" } })).toThrow(
      "AzureUSGovernmentCloud",
    );
  });
});
