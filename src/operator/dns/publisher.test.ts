/** DNSRecords and what becomes of them in zones, on a stand-in for an API server, with zones in memory and a clock of the test's own. */
import { describe, expect, it, onTestFinished } from "vitest";
import { DnsWorld, shipped, usualSettings } from "../../../test/dns/dns-world.ts";
import { clientOf } from "../../../test/kubernetes/start.ts";
import type { KubernetesObject, RecordedEvent } from "../../kubernetes/index.ts";
import type { DnsSettings } from "./dns-settings.ts";
import { renderMark } from "./ownership-mark.ts";
import { DnsError } from "./provider.ts";
import { Publisher, publishAgain, removeAgain } from "./publisher.ts";
import { keyOf } from "./record-facts.ts";

const messages = {
  ensured: "The DNS provider succeeded in ensuring the record",
  replaced: "The DNS provider succeeded in replacing the record",
};

interface RecordOptions {
  readonly namespace?: string;
  readonly created?: string;
  readonly spec?: object;
}

async function begin(options: { settings?: Partial<DnsSettings>; isOpenshift?: boolean } = {}) {
  const world = await DnsWorld.start(options.isOpenshift ? { dialect: shipped } : {});
  const { provider, dialect } = world;
  const clock = { now: 1_000_000 };
  const events: RecordedEvent[] = [];
  const make = (cluster = "here") => {
    const publisher = new Publisher({
      client: clientOf(world.server),
      dialect,
      provider: { get: async () => provider, explain: (error) => (error as Error).message },
      cluster: async () => cluster,
      canWrite: () => true,
      recorder: { record: (event) => events.push(event) },
      ask: () => undefined,
      now: () => clock.now,
    });
    const store = world.server.store(dialect.records);
    for (const record of store.objects.values()) publisher.recordChanged(keyOf(record), record);
    const listener = ({ type, object }: { type: string; object: KubernetesObject }) =>
      publisher.recordChanged(keyOf(object), type === "DELETED" ? undefined : object);
    store.listeners.add(listener);
    publisher.use({ ...usualSettings, ...options.settings });
    const end = async () => {
      store.listeners.delete(listener);
      await publisher.stop();
    };
    onTestFinished(end);
    /** Until there is nothing to do now. */
    const settle = async () => {
      for (let i = 0; i < 20; i++) {
        const next = await publisher.round();
        await publisher.settled();
        if (next === undefined || next > 0) return next;
      }
      throw new Error("it does not come to an end");
    };
    return { publisher, settle, end };
  };
  const record = (name: string, dnsName: string, { namespace = "shop", created, spec }: RecordOptions = {}) =>
    world.server.create(dialect.records, {
      metadata: { name, namespace, ...(created && { creationTimestamp: created }) },
      spec: {
        dnsName,
        targets: ["192.0.2.1"],
        recordType: "A",
        recordTTL: 30,
        dnsManagementPolicy: "Managed",
        ...spec,
      },
    });
  const live = (name: string, namespace = "shop") =>
    world.server.store(dialect.records).objects.get(`${namespace}/${name}`);
  const said = (name: string, namespace?: string) => {
    const status = (live(name, namespace)?.["status"] ?? {}) as {
      zones?: { conditions: { message: string }[] }[];
    };
    return (status.zones ?? []).map(({ conditions }) => conditions[0]?.message);
  };
  return { world, provider, clock, events, make, record, live, said };
}

describe("publishing", () => {
  it("1.8.3, 1.8.4: the private zone first, then the public one, each with its condition", async () => {
    const { world, provider, make, record, live, said } = await begin();
    record("one", "one.example.com");
    await make().settle();
    expect(provider.calls.map(({ call, zone }) => `${call} ${zone}`)).toEqual([
      "look private",
      "change private",
      "look public",
      "change public",
    ]);
    expect(world.published(live("one"))).toEqual([
      "private=True/ProviderSuccess",
      "public=True/ProviderSuccess",
    ]);
    expect(said("one")).toEqual([messages.ensured, messages.ensured]);
    expect(live("one")?.metadata.finalizers).toEqual(["gatewright.dev/dns"]);
    expect(provider.at("one.example.com", "private")).toEqual(["A 192.0.2.1"]);
  });

  it("1.8.3, 1.8.4, 1.8.8: what one zone refuses says why, does not keep the other from it, and is tried again after 30 s", async () => {
    const { world, provider, clock, events, make, record, live, said } = await begin();
    provider.refuse = ({ call, zone }) => {
      if (call === "change" && zone === "private") throw new DnsError("no such zone");
    };
    record("one", "one.example.com");
    const { settle } = make();
    expect(await settle()).toBe(publishAgain);
    expect(publishAgain).toBe(30_000);
    expect(world.published(live("one"))).toEqual([
      "private=False/ProviderError",
      "public=True/ProviderSuccess",
    ]);
    expect(said("one")[0]).toBe("The DNS provider failed to ensure the record: no such zone");
    expect(events.map(({ type, reason }) => `${type} ${reason}`)).toEqual(["Warning ProviderError"]);
    provider.refuse = undefined;
    provider.calls.length = 0;
    clock.now += 29_000;
    await settle();
    expect(provider.calls).toEqual([]);
    clock.now += 2_000;
    expect(await settle()).toBeUndefined();
    expect(provider.calls.map(({ zone }) => zone)).toEqual(["private", "private"]);
    expect(world.published(live("one"))).toEqual([
      "private=True/ProviderSuccess",
      "public=True/ProviderSuccess",
    ]);
  });

  it("1.8.3, 1.8.4: one that is unmanaged, and one that says nonsense, is not published", async () => {
    const { world, provider, make, record, live, said } = await begin();
    record("unmanaged", "u.example.com", { spec: { dnsManagementPolicy: "Unmanaged" } });
    record("nonsense", "n.example.com", { spec: { targets: ["not an address"] } });
    record("nameless", "a..b");
    await make().settle();
    expect(provider.calls).toEqual([]);
    expect(world.published(live("unmanaged"))).toEqual([
      "private=Unknown/UnmanagedDNS",
      "public=Unknown/UnmanagedDNS",
    ]);
    expect(said("unmanaged")[0]).toBe("DNS record is currently not being managed by the operator");
    expect(world.published(live("nonsense"))[0]).toBe("private=False/InternalError");
    expect(said("nonsense")[0]).toBe(
      "Pre-publish validation failed: spec.targets: not an address is no address",
    );
    expect(said("nameless")[0]).toBe('Pre-publish validation failed: spec.dnsName: "a..b" is no name');
  });

  it("1.8.5 the oldest of one name is published, then by namespace and name; unmanaged ones claim it, such as go do not", async () => {
    const { world, provider, make, record, live, said } = await begin({
      settings: { namespaces: ["*"] },
      isOpenshift: true,
    });
    record("young", "n.example.com.", { created: "2026-03-01T00:00:00Z", spec: { targets: ["192.0.2.3"] } });
    record("b", "n.example.com.", { created: "2026-02-01T00:00:00Z", spec: { targets: ["192.0.2.2"] } });
    record("a", "n.example.com.", { created: "2026-02-01T00:00:00Z", spec: { targets: ["192.0.2.1"] } });
    record("z", "n.example.com.", {
      created: "2026-02-01T00:00:00Z",
      namespace: "blog",
      spec: { targets: ["192.0.2.4"] },
    });
    record("first", "u.example.com.", {
      created: "2026-01-01T00:00:00Z",
      spec: { dnsManagementPolicy: "Unmanaged" },
    });
    record("second", "u.example.com.", { created: "2026-01-02T00:00:00Z" });
    await make().settle();
    expect(provider.at("n.example.com")).toEqual(["A 192.0.2.4"]);
    expect(world.published(live("z", "blog"))[0]).toBe("private=True/ProviderSuccess");
    for (const loser of ["young", "a", "b", "second"]) {
      expect([loser, world.published(live(loser))[0], said(loser)[0]]).toEqual([
        loser,
        "private=False/DomainAlreadyInUse",
        "Domain name is already in use",
      ]);
    }
    expect(provider.at("u.example.com")).toEqual([]);
  });

  it("1.8.6 when the owner goes, the next oldest is published, and the name never goes away between", async () => {
    const { world, provider, make, record, live } = await begin();
    const { settle } = make();
    record("old", "n.example.com", { created: "2026-01-01T00:00:00Z" });
    record("new", "n.example.com", {
      created: "2026-01-02T00:00:00Z",
      spec: { targets: ["192.0.2.2"] },
    });
    await settle();
    const seen: (readonly string[])[] = [];
    provider.refuse = () => void seen.push(provider.at("n.example.com"));
    world.server.store(world.dialect.records).delete("shop/old");
    await settle();
    expect(live("old")).toBeUndefined();
    expect(provider.at("n.example.com")).toEqual(["A 192.0.2.2"]);
    expect(seen.every((at) => at.length === 1)).toBe(true);
    expect(world.published(live("new"))).toEqual([
      "private=True/ProviderSuccess",
      "public=True/ProviderSuccess",
    ]);
  });

  it("1.8.7 what is published in this version is not asked of the provider again; another version is replaced", async () => {
    const { world, provider, make, record, live, said } = await begin();
    record("one", "one.example.com");
    const first = make();
    await first.settle();
    await first.end();
    provider.calls.length = 0;
    const { settle, publisher } = make();
    await settle();
    publisher.lookAnew();
    await settle();
    expect(provider.calls).toEqual([]);
    const { spec } = live("one") as { spec: object } & KubernetesObject;
    world.change(world.dialect.records, "shop/one", { spec: { ...spec, targets: ["192.0.2.8"] } });
    await settle();
    expect(provider.at("one.example.com")).toEqual(["A 192.0.2.8"]);
    expect(said("one")).toEqual([messages.replaced, messages.replaced]);
    expect(live("one")?.["status"]).toMatchObject({ observedGeneration: 2 });
  });

  it("1.8.8 a record that goes is removed where it was published, and only then let go; a failure is tried again after 15 s", async () => {
    const { world, provider, clock, make, record, live } = await begin();
    const { settle } = make();
    provider.refuse = ({ call, zone }) => {
      if (call === "change" && zone === "public") throw new DnsError("busy");
    };
    record("one", "one.example.com");
    await settle();
    expect(provider.all("public")).toEqual([]);
    provider.refuse = ({ call }) => {
      if (call === "change") throw new DnsError("away");
    };
    world.server.store(world.dialect.records).delete("shop/one");
    expect(await settle()).toBe(removeAgain);
    expect(removeAgain).toBe(15_000);
    expect(live("one")?.metadata.finalizers).toEqual(["gatewright.dev/dns"]);
    provider.refuse = undefined;
    provider.calls.length = 0;
    clock.now += 15_000;
    await settle();
    expect(live("one")).toBeUndefined();
    expect(provider.all("private")).toEqual([]);
    const changed = provider.calls.filter(({ call }) => call === "change").map(({ zone }) => zone);
    expect(changed).toEqual(["private"]);
  });

  it("1.8.9 one without a time to live is passed over, and an Event says so", async () => {
    const { provider, events, make, record, live } = await begin();
    record("one", "one.example.com", { spec: { recordTTL: 0 } });
    await make().settle();
    expect(provider.calls).toEqual([]);
    expect(live("one")?.["status"]).toBeUndefined();
    expect(events).toMatchObject([{ type: "Warning", reason: "ZeroTTL", object: { name: "one" } }]);
  });

  it("1.8.1 records of other namespaces that are asked for are published too, whoever made them", async () => {
    const { provider, make, record } = await begin({
      settings: { namespaces: ["openshift-ingress"], moreRecordNamespaces: ["openshift-ingress-operator"] },
      isOpenshift: true,
    });
    record("default-wildcard", "*.apps.example.com.", { namespace: "openshift-ingress-operator" });
    record("gw", "*.gw.example.com.", { namespace: "openshift-ingress" });
    record("other", "*.other.example.com.", { namespace: "default" });
    await make().settle();
    expect(provider.all().filter((set) => set.endsWith(" A"))).toEqual([
      "*.apps.example.com A",
      "*.gw.example.com A",
    ]);
  });

  it("1.8.2 an alias' zone is noted when it is published, and used when it is removed, though it cannot be asked for any more", async () => {
    const { world, provider, make, record, live } = await begin({ isOpenshift: true });
    const annotation = "ingress.operator.openshift.io/target-hosted-zone-id";
    provider.balancers = new Map([["lb.elb.example.net", "Z123"]]);
    record("one", "one.example.com.", { spec: { recordType: "CNAME", targets: ["lb.elb.example.net"] } });
    const first = make();
    await first.settle();
    await first.end();
    expect(live("one")?.metadata.annotations).toEqual({ [annotation]: "Z123" });
    const removed: unknown[] = [];
    provider.refuse = ({ call }, changes) => {
      if (call === "targetZone") throw new DnsError("gone");
      removed.push(...changes.filter(({ set }) => set.type === "CNAME").map(({ set }) => set.targetZone));
    };
    world.server.store(world.dialect.records).delete("shop/one");
    await make().settle();
    expect(live("one")).toBeUndefined();
    expect(removed).toEqual(["Z123", "Z123"]);
    expect(provider.all()).toEqual([]);
  });
});

describe("names of others", () => {
  it("attack 20: one that somebody made by hand is never overwritten, nor removed", async () => {
    const { world, provider, make, record, live, said } = await begin();
    provider.put({ name: "www.example.com", type: "A", ttl: 60, values: ["192.0.2.99"] });
    record("www", "www.example.com");
    const { settle } = make();
    await settle();
    expect(world.published(live("www"))).toEqual([
      "private=True/ProviderSuccess",
      "public=False/DomainAlreadyInUse",
    ]);
    expect(said("www")[1]).toContain("www.example.com is A 192.0.2.99, which Gatewright has not published");
    world.server.store(world.dialect.records).delete("shop/www");
    await settle();
    expect(live("www")).toBeUndefined();
    expect(provider.all()).toEqual(["www.example.com A"]);
    expect(provider.all("private")).toEqual([]);
  });

  it("attack 20: a record that is given another name takes the old one away, and the new one from nobody", async () => {
    const { world, provider, clock, make, record, live } = await begin({ isOpenshift: true });
    record("www", "www.example.com.");
    const first = make();
    await first.settle();
    await first.end();
    const { settle } = make();
    const theirs = { name: "theirs.example.com", type: "A", ttl: 60, values: ["192.0.2.99"] } as const;
    for (const zone of ["public", "private"]) provider.put(theirs, zone);
    const spec = live("www")?.["spec"] as object;
    world.change(world.dialect.records, "shop/www", { spec: { ...spec, dnsName: "theirs.example.com." } });
    await settle();
    expect(world.published(live("www"))).toEqual([
      "private=False/DomainAlreadyInUse",
      "public=False/DomainAlreadyInUse",
    ]);
    expect(provider.at("theirs.example.com")).toEqual(["A 192.0.2.99"]);
    expect(provider.all()).toEqual(["theirs.example.com A"]);
    world.change(world.dialect.records, "shop/www", { spec: { ...spec, dnsName: "new.example.com." } });
    clock.now += 60_000;
    await settle();
    expect(provider.all()).toEqual([
      "_gatewright.new.example.com TXT",
      "new.example.com A",
      "theirs.example.com A",
    ]);
  });

  it("two clusters on one zone do not fight: the first keeps it, and the other has it when the first lets go", async () => {
    const here = await begin();
    const there = await begin();
    const provider = here.provider;
    there.provider.zones.clear();
    for (const zone of ["private", "public"]) {
      const shared = new Map<string, never>();
      provider.zones.set(zone, shared);
      there.provider.zones.set(zone, shared);
    }
    here.record("mine", "www.example.com");
    there.record("theirs", "www.example.com", { spec: { targets: ["192.0.2.2"] } });
    const first = here.make("here");
    await first.settle();
    const second = there.make("there");
    await second.settle();
    expect(there.said("theirs")[0]).toBe(
      "Domain name is already in use: Gatewright in the cluster here has published www.example.com",
    );
    expect(provider.at("www.example.com")).toEqual(["A 192.0.2.1"]);
    here.world.server.store(here.world.dialect.records).delete("shop/mine");
    await first.settle();
    there.clock.now += publishAgain;
    await second.settle();
    expect(provider.at("www.example.com")).toEqual(["A 192.0.2.2"]);
    expect(there.world.published(there.live("theirs"))[0]).toBe("private=True/ProviderSuccess");
  });

  it("attack 20: another's mark is neither taken over nor removed by who once had the name", async () => {
    const { world, provider, make, record, live } = await begin();
    record("www", "www.example.com");
    const { settle } = make();
    await settle();
    provider.put(renderMark("www.example.com", "another", "shop/www"));
    provider.put({ name: "www.example.com", type: "A", ttl: 30, values: ["192.0.2.50"] });
    world.server.store(world.dialect.records).delete("shop/www");
    await settle();
    expect(live("www")).toBeUndefined();
    expect(provider.at("www.example.com")).toEqual(["A 192.0.2.50"]);
  });
});

describe("many at once", () => {
  it("share a few calls, and none is repeated", async () => {
    const { provider, make, record } = await begin({ settings: { zones: [{ id: "public" }] } });
    for (let i = 0; i < 120; i++) record(`r${i}`, `n${i}.example.com`);
    await make().settle();
    const changes = provider.calls.filter(({ call }) => call === "change");
    expect(changes).toHaveLength(3);
    expect(new Set(changes.flatMap(({ names }) => names)).size).toBe(240);
    expect(provider.calls.filter(({ call }) => call === "look")).toHaveLength(1);
  });

  it("attack 41: one that the provider refuses does not keep the others from it", async () => {
    const { world, provider, make, record, live } = await begin({ settings: { zones: [{ id: "public" }] } });
    for (let i = 0; i < 20; i++) record(`r${i}`, `n${i}.example.com`);
    provider.refuse = ({ call, names }) => {
      if (call === "change" && names.includes("n7.example.com")) throw new DnsError("this name is forbidden");
    };
    await make().settle();
    for (let i = 0; i < 20; i++) {
      const wanted = i === 7 ? "public=False/ProviderError" : "public=True/ProviderSuccess";
      expect([i, world.published(live(`r${i}`))]).toEqual([i, [wanted]]);
    }
  });

  it("attack 41: a provider that is asked too often is left alone for as long as it says, or longer and longer", async () => {
    const { provider, clock, make, record } = await begin({ settings: { zones: [{ id: "public" }] } });
    for (let i = 0; i < 120; i++) record(`r${i}`, `n${i}.example.com`);
    let retryAfter: number | undefined = 7_000;
    provider.refuse = ({ call }) => {
      if (call === "change") {
        throw new DnsError("slow down", {
          isThrottled: true,
          ...(retryAfter !== undefined && { retryAfter }),
        });
      }
    };
    const { settle } = make();
    expect(await settle()).toBe(7_000);
    expect(provider.calls.filter(({ call }) => call === "change")).toHaveLength(1);
    retryAfter = undefined;
    const waits: (number | undefined)[] = [7_000];
    for (let i = 0; i < 3; i++) {
      clock.now += waits.at(-1) ?? 0;
      waits.push(await settle());
    }
    expect(waits).toEqual([7_000, 2_000, 4_000, 8_000]);
    provider.refuse = undefined;
    clock.now += 8_000;
    expect(await settle()).toBeUndefined();
    expect(provider.all().filter((set) => set.endsWith(" A"))).toHaveLength(120);
  });
});

describe("an end at any point", () => {
  /** Every call of the provider and every request of the API server can be the last that comes to something. */
  it("leaves no orphan and loses no record: whoever starts next comes to the same end", async () => {
    const whole = await begin();
    const steps = await countSteps(whole);
    expect(steps).toBe(6);
    for (const isHeard of [false, true]) {
      for (let last = 0; last < steps; last++) {
        const world = await begin();
        await crashAt(world, { last, isHeard, what: "publish" });
        await crashAt(world, { last, isHeard, what: "remove" });
      }
    }
  }, 60_000);
});

type Begun = Awaited<ReturnType<typeof begin>>;

interface Crash {
  readonly last: number;
  /** The provider does what it was asked, but nobody hears that. */
  readonly isHeard: boolean;
  readonly what: "publish" | "remove";
}

/** Of publishing a name in two zones. */
async function countSteps({ world, provider, make, record }: Begun): Promise<number> {
  record("one", "one.example.com");
  const before = world.writes().length;
  await make().settle();
  return provider.calls.length + world.writes().length - before;
}

/** One whose provider and API server fail from some step on ends; another begins, and everything works. */
async function crashAt(
  { world, provider, make, record, live }: Begun,
  { last, isHeard, what }: Crash,
): Promise<void> {
  let left = last;
  const step = () => {
    if (left-- <= 0) throw new DnsError("the process has ended");
  };
  const crashing = make();
  if (what === "publish") record("one", "one.example.com");
  else world.server.store(world.dialect.records).delete("shop/one");
  if (isHeard) provider.answered = step;
  else provider.refuse = step;
  world.server.intercept = ({ method }, response) => {
    if (method === "GET" || left-- > 0) return false;
    response.writeHead(500);
    response.end("{}");
    return true;
  };
  await crashing.publisher.round();
  await crashing.end();
  provider.refuse = undefined;
  provider.answered = undefined;
  world.server.intercept = undefined;
  const next = make();
  await next.settle();
  const found = [live("one") !== undefined, provider.all("private"), provider.all("public")];
  const sets = ["_gatewright.one.example.com TXT", "one.example.com A"];
  expect([last, ...found]).toEqual(what === "publish" ? [last, true, sets, sets] : [last, false, [], []]);
  await next.end();
}
