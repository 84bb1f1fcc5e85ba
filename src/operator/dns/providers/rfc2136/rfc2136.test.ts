/** Against a real BIND. */
import { afterAll, describe, expect, it, type TestContext } from "vitest";
import { need } from "../../../../../test/components/need.ts";
import { startBind, type Bind } from "../../../../../test/dns/bind.ts";
import { describeProvider, failure } from "../../../../../test/dns/provider-contract.ts";
import type { DnsProvider, RecordSet, RecordSetChange } from "../../provider.ts";
import { createProvider } from "./index.ts";

const zone = { id: "example.com" };
const contractZone = { id: "contract.example" };
let started: Promise<Bind> | undefined;
const providers: DnsProvider[] = [];

afterAll(async () => {
  for (const provider of providers) await provider.stop();
  await (await started?.catch(() => undefined))?.stop();
});

async function begin(context: TestContext, credentials?: ReadonlyMap<string, string>) {
  const named = need(context, "named");
  started ??= startBind(named, {
    zones: {
      "example.com": "*.lent IN A 192.0.2.9\nmail IN MX 10 mx\nmx IN A 192.0.2.25\nold IN A 192.0.2.77\n",
      [contractZone.id]: "",
      "example.org": "",
    },
  });
  const bind = await started;
  const provider = createProvider({
    credentials: credentials ?? bind.credentials,
    settings: { server: bind.server },
  });
  providers.push(provider);
  return { bind, provider };
}

const a = (name: string, ...values: string[]): RecordSet => ({ name, type: "A", ttl: 30, values });
const put = (set: RecordSet, found?: RecordSet | null): RecordSetChange => ({
  type: "put",
  set,
  ...(found !== undefined && { found }),
});
const remove = (set: RecordSet, found?: RecordSet | null): RecordSetChange => ({
  ...put(set, found),
  type: "remove",
});

describeProvider("RFC 2136", async (context) => {
  const { provider } = await begin(context);
  return {
    provider,
    zone: contractZone,
    domain: contractZone.id,
    otherZone: { id: "example.org" },
    otherDomain: "example.org",
    missingZone: { id: "example.net" },
    missingDomain: "example.net",
    ttl: 30,
    otherTtl: 300,
    knowsConditions: true,
  };
});

describe("dynamic update", () => {
  it("finds nothing at names outside of the zone, and the others all the same", async (context) => {
    const { provider } = await begin(context);
    const found = await provider.look(zone, ["www.example.org", "old.example.com"]);
    expect(found).toEqual([{ name: "old.example.com", type: "A", ttl: 60, values: ["192.0.2.77"] }]);
  });

  it("puts, replaces and removes sets of every type", async (context) => {
    const { bind, provider } = await begin(context);
    const sets: RecordSet[] = [
      a("www.example.com", "192.0.2.1", "192.0.2.2"),
      { name: "www.example.com", type: "AAAA", ttl: 30, values: ["2001:db8::1", "::ffff:192.0.2.1"] },
      { name: "alias.example.com", type: "CNAME", ttl: 30, values: ["lb.example.net"] },
      {
        name: "_mark.www.example.com",
        type: "TXT",
        ttl: 30,
        values: [`text with "quotes" ${"x".repeat(300)}`],
      },
    ];
    await provider.change(
      zone,
      sets.map((set) => put(set, null)),
    );
    expect(await bind.resolve("www.example.com")).toEqual(["192.0.2.1", "192.0.2.2"]);
    expect(await bind.resolve("www.example.com", "AAAA")).toEqual(
      ["2001:db8::1", "::ffff:192.0.2.1"].toSorted(),
    );
    expect(await bind.resolve("alias.example.com", "CNAME")).toEqual(["lb.example.net"]);
    expect(await bind.resolve("_mark.www.example.com", "TXT")).toEqual(sets[3]?.values);
    const found = await provider.look(zone, [
      "www.example.com",
      "alias.example.com",
      "_mark.www.example.com",
      "none.example.com",
    ]);
    expect(found.map(({ name, type }) => `${name} ${type}`).toSorted()).toEqual(
      sets.map(({ name, type }) => `${name} ${type}`).toSorted(),
    );
    await provider.change(zone, [put(a("www.example.com", "192.0.2.3"), sets[0])]);
    expect(await bind.resolve("www.example.com")).toEqual(["192.0.2.3"]);
    await provider.change(
      zone,
      [...sets.slice(1), a("www.example.com", "192.0.2.3")].map((set) => remove(set)),
    );
    expect(
      await provider.look(zone, ["www.example.com", "alias.example.com", "_mark.www.example.com"]),
    ).toEqual([]);
    expect(await bind.resolve("www.example.com")).toEqual([]);
  });

  it("is no error where a set stands already or is gone", async (context) => {
    const { bind, provider } = await begin(context);
    const set = a("twice.example.com", "192.0.2.1");
    await provider.change(zone, [put(set)]);
    await provider.change(zone, [put(set)]);
    expect(await bind.resolve("twice.example.com")).toEqual(["192.0.2.1"]);
    await provider.change(zone, [remove(set)]);
    await provider.change(zone, [remove(set)]);
    expect(await bind.resolve("twice.example.com")).toEqual([]);
  });

  it("tells a name's own records from those that a wildcard lends it", async (context) => {
    const { bind, provider } = await begin(context);
    expect(await bind.resolve("any.lent.example.com")).toEqual(["192.0.2.9"]);
    expect(await provider.look(zone, ["any.lent.example.com"])).toEqual([]);
    expect(await provider.look(zone, ["*.lent.example.com"])).toEqual([
      { name: "*.lent.example.com", type: "A", ttl: 60, values: ["192.0.2.9"] },
    ]);
    await provider.change(zone, [put(a("any.lent.example.com", "192.0.2.1"), null)]);
    expect(await bind.resolve("any.lent.example.com")).toEqual(["192.0.2.1"]);
  });

  it("changes nothing at all if something else stands there than was found", async (context) => {
    const { bind, provider } = await begin(context);
    const error = await failure(
      provider.change(zone, [
        put(a("fresh.example.com", "192.0.2.1"), null),
        put(a("old.example.com", "192.0.2.1"), null),
      ]),
    );
    expect(error).toMatchObject({ isStale: true });
    expect(await bind.resolve("fresh.example.com")).toEqual([]);
    expect(await bind.resolve("old.example.com")).toEqual(["192.0.2.77"]);
    expect(
      await failure(
        provider.change(zone, [remove(a("old.example.com", "192.0.2.1"), a("old.example.com", "192.0.2.1"))]),
      ),
    ).toMatchObject({ isStale: true });
  });

  it("does not keep silent about a CNAME that the server leaves out", async (context) => {
    const { provider } = await begin(context);
    const alias: RecordSet = { name: "mail.example.com", type: "CNAME", ttl: 30, values: ["lb.example.net"] };
    expect(await failure(provider.change(zone, [put(alias, null)]))).toMatchObject({ isStale: true });
    expect((await failure(provider.change(zone, [put(alias)]))).message).toContain("mail.example.com");
  });

  it("of thousands of sets goes out in messages that are not too long", async (context) => {
    const { bind, provider } = await begin(context);
    const sets = Array.from({ length: 200 }, (_, i) =>
      a(`${"n".repeat(60)}.${"m".repeat(60)}.${"o".repeat(60)}.n${i}.example.com`, "192.0.2.1"),
    );
    await provider.change(
      zone,
      sets.map((set) => put(set, null)),
    );
    expect(await bind.resolve(sets[199]?.name ?? "")).toEqual(["192.0.2.1"]);
    expect(
      await provider.look(
        zone,
        sets.map(({ name }) => name),
      ),
    ).toHaveLength(200);
  });

  it.for(["hmac-sha384", "hmac-sha512"] as const)("is signed with %s", async (algorithm, context) => {
    const named = need(context, "named");
    const bind = await startBind(named, { zones: { "example.com": "" }, algorithm });
    const provider = createProvider({ credentials: bind.credentials, settings: { server: bind.server } });
    await provider.change(zone, [put(a("www.example.com", "192.0.2.1"))]);
    expect(await bind.resolve("www.example.com")).toEqual(["192.0.2.1"]);
    await provider.stop();
    await bind.stop();
  });
});

describe("wrong credentials", () => {
  it("are told from a wrong signature, an unknown key, a server that lets nobody in, and one that is not there", async (context) => {
    const { bind } = await begin(context);
    const set = put(a("www.example.com", "192.0.2.1"));
    const attempt = async (changed: Record<string, string>) => {
      const { provider } = await begin(context, new Map([...bind.credentials, ...Object.entries(changed)]));
      return failure(provider.change(zone, [set]));
    };
    const wrong = await attempt({ secret: Buffer.from("not the secret").toString("base64") });
    expect(wrong).toMatchObject({ isDenied: true });
    expect(wrong.message).toContain("BADSIG");
    expect(wrong.message).not.toContain("not the secret");
    expect((await attempt({ keyName: "nobody" })).message).toContain("BADKEY");
    const { provider } = await begin(context, new Map());
    expect(await failure(provider.change(zone, [set]))).toMatchObject({ isDenied: true });
    expect(await failure(provider.change({ id: "other.test" }, [set]))).toMatchObject({ isDenied: true });
    const nowhere = createProvider({ credentials: new Map(), settings: { server: "127.0.0.1:1" } });
    expect((await failure(nowhere.look(zone, ["www.example.com"]))).message).toContain("127.0.0.1:1");
    await nowhere.stop();
  });

  it.each([
    [{ keyName: "k" }, "secret"],
    [{ keyName: "k", secret: "%%%" }, "base64"],
    [{ keyName: "k", secret: "AAAA", algorithm: "hmac-md5" }, "hmac-sha256"],
  ])("%o are refused before anybody is asked", (given, word) => {
    expect(() => createProvider({ credentials: new Map(Object.entries(given)), settings: {} })).toThrow(word);
  });
});
