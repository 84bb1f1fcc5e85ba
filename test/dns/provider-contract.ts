// What every DNS provider does, whatever is behind it. A provider's test calls this with a way to get at a running service; each case uses names of its own, so one
// service does for all of them.

import { describe, expect, it, type TestContext } from "vitest";
import type { ZoneTask } from "../../src/operator/dns/name-work.ts";
import { markName } from "../../src/operator/dns/ownership-mark.ts";
import { DnsError, type DnsProvider, type DnsZone, type RecordSet } from "../../src/operator/dns/provider.ts";
import { workOnZone } from "../../src/operator/dns/zone-work.ts";
import type { StandInAnswer } from "./http-stand-in.ts";

export interface ProviderSubject {
  readonly provider: DnsProvider;
  readonly zone: DnsZone;
  /** The zone's domain, without a dot at the end. */
  readonly domain: string;
  /** Another zone of the same service. */
  readonly otherZone: DnsZone;
  readonly otherDomain: string;
  /** A zone that the service does not have. */
  readonly missingZone: DnsZone;
  readonly missingDomain: string;
  /** TTLs that the service takes as they are. */
  readonly ttl: number;
  readonly otherTtl: number;
  /** Is a change refused if something else stands there than was found? */
  readonly knowsConditions: boolean;
}

export function describeProvider(
  name: string,
  subject: (context: TestContext) => Promise<ProviderSubject>,
): void {
  describe(`${name}: a DNS provider`, () => {
    it("says nothing of names that do not exist", async (context) => {
      const { provider, zone, domain } = await subject(context);
      expect(await provider.look(zone, [`none.${domain}`, `*.none.${domain}`])).toEqual([]);
      expect(await provider.look(zone, [])).toEqual([]);
      await provider.change(zone, []);
    });

    it("puts sets of every type and finds them again", async (context) => {
      const { provider, zone, domain, ttl } = await subject(context);
      const sets: RecordSet[] = [
        { name: `all.${domain}`, type: "A", ttl, values: ["192.0.2.1", "192.0.2.2", "192.0.2.3"] },
        { name: `all.${domain}`, type: "AAAA", ttl, values: ["2001:db8::1", "2001:db8::2"] },
        { name: `alias.${domain}`, type: "CNAME", ttl, values: ["lb.example.net"] },
        { name: `_mark.all.${domain}`, type: "TXT", ttl, values: ["owner=one", "owner=two"] },
      ];
      await put(provider, zone, sets);
      const found = await provider.look(zone, [...new Set(sets.map((set) => set.name)), `none.${domain}`]);
      expect(sorted(found)).toEqual(sorted(sets));
    });

    it("takes wildcards and names in punycode, and tells a name from the wildcard above it", async (context) => {
      const { provider, zone, domain, ttl } = await subject(context);
      const sets: RecordSet[] = [
        { name: `*.wild.${domain}`, type: "A", ttl, values: ["192.0.2.4"] },
        { name: `xn--bcher-kva.${domain}`, type: "A", ttl, values: ["192.0.2.5"] },
        { name: `*.xn--bcher-kva.${domain}`, type: "CNAME", ttl, values: ["lb.example.net"] },
      ];
      await put(provider, zone, sets);
      const names = sets.map((set) => set.name);
      expect(sorted(await provider.look(zone, names))).toEqual(sorted(sets));
      expect(await provider.look(zone, [`any.wild.${domain}`, `wild.${domain}`])).toEqual([]);
    });

    it("keeps texts as they are: quotes, backslashes, spaces, more than 255 bytes", async (context) => {
      const { provider, zone, domain, ttl } = await subject(context);
      const texts = [
        'with "quotes"',
        "back\\slash \\052 and ; semicolon",
        `long ${"0123456789".repeat(30)} end`,
      ];
      const sets = texts.map((text, i): RecordSet => {
        return { name: `_text${i}.${domain}`, type: "TXT", ttl, values: [text] };
      });
      await put(provider, zone, sets);
      const found = await provider.look(
        zone,
        sets.map((set) => set.name),
      );
      expect(sorted(found)).toEqual(sorted(sets));
      await remove(provider, zone, found);
      expect(
        await provider.look(
          zone,
          sets.map((set) => set.name),
        ),
      ).toEqual([]);
    });

    it("replaces values and TTL, and leaves the neighbours alone", async (context) => {
      const { provider, zone, domain, ttl, otherTtl } = await subject(context);
      const old: RecordSet = { name: `moves.${domain}`, type: "A", ttl, values: ["192.0.2.1", "192.0.2.2"] };
      const neighbours: RecordSet[] = [
        { name: `moves.${domain}`, type: "AAAA", ttl, values: ["2001:db8::7"] },
        { name: `below.moves.${domain}`, type: "A", ttl, values: ["192.0.2.7"] },
      ];
      await put(provider, zone, [old, ...neighbours]);
      const names = [`moves.${domain}`, `below.moves.${domain}`];
      const [found] = (await provider.look(zone, names)).filter(({ type }) => type === "A");
      const moved: RecordSet = { ...old, ttl: otherTtl, values: ["192.0.2.2", "192.0.2.9"] };
      await provider.change(zone, [{ type: "put", set: moved, ...(found && { found }) }]);
      expect(sorted(await provider.look(zone, names))).toEqual(sorted([moved, ...neighbours]));
      // Without having looked.
      const again: RecordSet = { ...old, values: ["192.0.2.10"] };
      await provider.change(zone, [{ type: "put", set: again }]);
      expect(sorted(await provider.look(zone, names))).toEqual(sorted([again, ...neighbours]));
      await provider.change(zone, [{ type: "remove", set: again }]);
      expect(sorted(await provider.look(zone, names))).toEqual(sorted(neighbours));
    });

    it("moves a CNAME", async (context) => {
      const { provider, zone, domain, ttl } = await subject(context);
      const name = `cname.${domain}`;
      const old: RecordSet = { name, type: "CNAME", ttl, values: ["one.example.net"] };
      await put(provider, zone, [old]);
      const [found] = await provider.look(zone, [name]);
      const set: RecordSet = { ...old, values: ["two.example.net"] };
      await provider.change(zone, [{ type: "put", set, ...(found && { found }) }]);
      expect(await provider.look(zone, [name])).toEqual([set]);
    });

    it("takes it lightly that a set stands already, or is gone", async (context) => {
      const { provider, zone, domain, ttl } = await subject(context);
      const set: RecordSet = { name: `twice.${domain}`, type: "A", ttl, values: ["192.0.2.1"] };
      await provider.change(zone, [{ type: "put", set }]);
      await provider.change(zone, [{ type: "put", set }]);
      expect(await provider.look(zone, [set.name])).toEqual([set]);
      await provider.change(zone, [{ type: "remove", set }]);
      await provider.change(zone, [{ type: "remove", set }]);
      await provider.change(zone, [{ type: "remove", set, found: null }]);
      expect(await provider.look(zone, [set.name])).toEqual([]);
    });

    it("takes as many changes at once as it says, and looks at all of them at once", async (context) => {
      const { provider, zone, domain, ttl } = await subject(context);
      const count = Math.min(provider.maxChanges, 60);
      const sets = Array.from({ length: count }, (_, i): RecordSet => {
        return { name: `n${i}.many.${domain}`, type: "A", ttl, values: [`192.0.2.${i + 1}`] };
      });
      const names = sets.map((set) => set.name);
      await put(provider, zone, sets);
      const absent = Array.from({ length: 10 }, (_, i) => `m${i}.many.${domain}`);
      const found = await provider.look(zone, [...names, ...absent]);
      expect(sorted(found)).toEqual(sorted(sets));
      await remove(provider, zone, found);
      expect(await provider.look(zone, names)).toEqual([]);
    });

    it("keeps zones apart", async (context) => {
      const { provider, zone, domain, otherZone, otherDomain, ttl } = await subject(context);
      const one: RecordSet = { name: `apart.${domain}`, type: "A", ttl, values: ["192.0.2.1"] };
      const other: RecordSet = { name: `apart.${otherDomain}`, type: "A", ttl, values: ["192.0.2.2"] };
      await provider.change(zone, [{ type: "put", set: one, found: null }]);
      await provider.change(otherZone, [{ type: "put", set: other, found: null }]);
      expect(await provider.look(zone, [one.name])).toEqual([one]);
      expect(await provider.look(otherZone, [other.name])).toEqual([other]);
      await provider.change(otherZone, [{ type: "remove", set: other }]);
      expect(await provider.look(zone, [one.name])).toEqual([one]);
    });

    it("changes nothing if something stands there that was not found, where the service knows conditions", async (context) => {
      const { provider, zone, domain, ttl, knowsConditions } = await subject(context);
      const set: RecordSet = { name: `taken.${domain}`, type: "A", ttl, values: ["192.0.2.1"] };
      await provider.change(zone, [{ type: "put", set, found: null }]);
      const outcome = await provider.change(zone, [{ type: "put", set, found: null }]).then(
        () => "done",
        (error: DnsError) => (error.isStale ? "stale" : error.message),
      );
      expect(outcome).toBe(knowsConditions ? "stale" : "done");
      expect(await provider.look(zone, [set.name])).toEqual([set]);
    });

    it("is enough for clusters not to fight over names: who comes first has them, and takes nothing of others away", async (context) => {
      const { provider, zone, domain, ttl } = await subject(context);
      const [name, other] = [`owned.${domain}`, `*.owned.${domain}`];
      const alias: RecordSet = { name, type: "CNAME", ttl, values: ["one.example.net"] };
      const addresses: RecordSet = { name: other, type: "A", ttl, values: ["192.0.2.1", "192.0.2.2"] };
      const hand: RecordSet = { name: `hand.${domain}`, type: "A", ttl, values: ["192.0.2.77"] };
      await put(provider, zone, [hand]);
      const marks = [markName(name), markName(other), markName(hand.name)];
      const names = [name, other, hand.name, ...marks];

      expect(await publish(provider, zone, "cluster-1", [alias, addresses, hand])).toEqual({
        [name]: "done",
        [other]: "done",
        [hand.name]: "taken",
      });
      const first = await provider.look(zone, names);
      expect(first.map(({ name: at }) => at).toSorted()).toEqual(
        [name, other, hand.name, ...marks.slice(0, 2)].toSorted(),
      );
      expect(await publish(provider, zone, "cluster-2", [alias, addresses])).toEqual({
        [name]: "taken",
        [other]: "taken",
      });
      expect(sorted(await provider.look(zone, names))).toEqual(sorted(first));

      // From a CNAME to addresses, and back to fewer of them.
      const moved: RecordSet = { name, type: "A", ttl, values: ["192.0.2.3"] };
      const fewer: RecordSet = { ...addresses, values: ["192.0.2.2"] };
      expect(await publish(provider, zone, "cluster-1", [moved, fewer])).toEqual({
        [name]: "done",
        [other]: "done",
      });
      const ours = (sets: readonly RecordSet[]) => sets.filter(({ type }) => type !== "TXT");
      expect(sorted(ours(await provider.look(zone, names)))).toEqual(sorted([moved, fewer, hand]));

      for (const cluster of ["cluster-2", "cluster-1"])
        await withdraw(provider, zone, cluster, [name, other]);
      expect(await provider.look(zone, names)).toEqual([hand]);
    });

    it("says which zone is missing", async (context) => {
      const { provider, missingZone, missingDomain, ttl } = await subject(context);
      const set: RecordSet = { name: `www.${missingDomain}`, type: "A", ttl, values: ["192.0.2.1"] };
      for (const work of [
        () => provider.look(missingZone, [set.name]),
        () => provider.change(missingZone, [{ type: "put", set }]),
      ]) {
        const error = await failure(work());
        expect(error).toBeInstanceOf(DnsError);
        expect(error).toMatchObject({ isThrottled: false, isStale: false });
      }
    });
  });
}

/** What a proxy or a portal in between says: it is no empty zone, and nothing is done. */
export function describeStrangeAnswers(
  name: string,
  begin: () => Promise<{
    readonly provider: DnsProvider;
    readonly zone: DnsZone;
    readonly domain: string;
    /** The next request that is not for a token. */
    readonly answerNext: (answer: StandInAnswer) => void;
  }>,
): void {
  it(`${name}: an answer that is not the service's is an error`, async () => {
    const { provider, zone, domain, answerNext } = await begin();
    const page = {
      headers: { "content-type": "text/html" },
      body: "<html><body>Please log in</body></html>",
    };
    const set: RecordSet = { name: `strange.${domain}`, type: "A", ttl: 600, values: ["192.0.2.1"] };
    await put(provider, zone, [set]);
    const [found = set] = await provider.look(zone, [set.name]);
    for (const attempt of [
      () => provider.look(zone, [set.name]),
      () => provider.change(zone, [{ type: "put", set: { ...set, name: `other.${domain}` }, found: null }]),
      () => provider.change(zone, [{ type: "remove", set, found }]),
    ]) {
      answerNext(page);
      const error = await failure(attempt());
      expect(error).toBeInstanceOf(DnsError);
      expect(error).toMatchObject({ isStale: false, isDenied: false });
    }
    expect(await provider.look(zone, [set.name])).toEqual([set]);
  });
}

/** What a promise is rejected with. */
export function failure(work: Promise<unknown>): Promise<DnsError> {
  return work.then(
    () => Promise.reject(new Error("it did not fail")),
    (error: unknown) => error as DnsError,
  );
}

const record = {
  apiVersion: "gatewright.dev/v1alpha1",
  kind: "DNSRecord",
  metadata: { name: "r", namespace: "shop" },
};

/** Each name's outcome. */
async function publish(
  provider: DnsProvider,
  zone: DnsZone,
  cluster: string,
  sets: readonly RecordSet[],
): Promise<Readonly<Record<string, string>>> {
  const tasks = sets.map((set) => ({
    name: set.name,
    zone,
    publication: { record, sets: [set], isReplaced: false },
    removals: [],
  }));
  return work(provider, zone, cluster, tasks);
}

async function withdraw(
  provider: DnsProvider,
  zone: DnsZone,
  cluster: string,
  names: readonly string[],
): Promise<void> {
  const removals = [{ record, sets: [], wasPublished: false }];
  await work(
    provider,
    zone,
    cluster,
    names.map((name) => ({ name, zone, removals })),
  );
}

async function work(
  provider: DnsProvider,
  zone: DnsZone,
  cluster: string,
  tasks: readonly ZoneTask[],
): Promise<Readonly<Record<string, string>>> {
  const results = await workOnZone(zone, tasks, {
    provider: async () => provider,
    cluster: async () => cluster,
    prepare: async () => true,
    mayGoOn: () => true,
  });
  const failed = [...results.values()].find((result) => result.type === "failed");
  if (failed) throw failed.error;
  return Object.fromEntries([...results].map(([name, { type }]) => [name, type]));
}

/** Where nothing stands. */
async function put(provider: DnsProvider, zone: DnsZone, sets: readonly RecordSet[]): Promise<void> {
  await provider.change(
    zone,
    sets.map((set) => ({ type: "put", set, found: null })),
  );
}

async function remove(provider: DnsProvider, zone: DnsZone, found: readonly RecordSet[]): Promise<void> {
  await provider.change(
    zone,
    found.map((set) => ({ type: "remove", set, found: set })),
  );
}

/** Neither sets nor values have an order. */
function sorted(sets: readonly RecordSet[]): readonly RecordSet[] {
  const text = ({ name, type }: RecordSet): string => `${name} ${type}`;
  return sets
    .map((set) => ({ ...set, values: set.values.toSorted() }))
    .toSorted((a, b) => (text(a) < text(b) ? -1 : 1));
}
