/** Route 53 and Elastic Load Balancing: against moto, and against canned answers for what moto does not do. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CreateLoadBalancerCommand as CreateClassicCommand,
  ElasticLoadBalancingClient,
} from "@aws-sdk/client-elastic-load-balancing";
import {
  CreateLoadBalancerCommand,
  DeleteLoadBalancerCommand,
  ElasticLoadBalancingV2Client,
} from "@aws-sdk/client-elastic-load-balancing-v2";
import {
  ChangeTagsForResourceCommand,
  CreateHostedZoneCommand,
  ListResourceRecordSetsCommand,
  Route53Client,
} from "@aws-sdk/client-route-53";
import { afterAll, describe, expect, it, type TestContext } from "vitest";
import { createProvider } from "../../src/operator/dns/providers/aws/index.ts";
import type { DnsProvider, RecordSet } from "../../src/operator/dns/provider.ts";
import { need } from "../components/need.ts";
import { listSubnets, startMoto, type Moto } from "../dns/aws/moto.ts";
import { startStandIn, type StandInAnswer } from "../dns/http-stand-in.ts";
import { describeProvider, failure } from "../dns/provider-contract.ts";

const region = "us-east-1";
const secretKey = "wJalrXUtnFEMI-K7MDENG-bPxRfiCYEXAMPLEKEY";
const credentials = new Map([
  ["aws_access_key_id", "AKIAIOSFODNN7EXAMPLE"],
  ["aws_secret_access_key", secretKey],
]);
const account = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: secretKey };

const toEnd: (() => Promise<unknown> | void)[] = [];
afterAll(async () => {
  for (const end of toEnd.toReversed()) await end();
});

interface Account {
  readonly moto: Moto;
  readonly route53: Route53Client;
  readonly provider: DnsProvider;
  readonly zoneId: string;
  readonly otherZoneId: string;
}

let started: Promise<Account> | undefined;

function begin(context: TestContext): Promise<Account> {
  const folder = need(context, "moto");
  started ??= beginWith(folder);
  return started;
}

async function beginWith(folder: string): Promise<Account> {
  const moto = await startMoto(folder);
  toEnd.push(() => moto.stop());
  const route53 = new Route53Client({ region, endpoint: moto.endpoint, credentials: account });
  const provider = await createAws({ endpoint: moto.endpoint });
  const zoneId = await createZone(route53, "example.com");
  const otherZoneId = await createZone(route53, "example.org");
  return { moto, route53, provider, zoneId, otherZoneId };
}

async function createAws({
  endpoint,
  given = credentials,
}: {
  endpoint: string;
  given?: ReadonlyMap<string, string>;
}): Promise<DnsProvider> {
  const provider = createProvider(
    { credentials: given, settings: { region } },
    { route53: endpoint, loadBalancing: endpoint, tokens: endpoint },
  );
  toEnd.push(() => provider.stop());
  return provider;
}

async function createZone(route53: Route53Client, domain: string): Promise<string> {
  const made = await route53.send(
    new CreateHostedZoneCommand({ Name: domain, CallerReference: `${domain}-${Math.random()}` }),
  );
  return made.HostedZone?.Id?.replace("/hostedzone/", "") ?? "";
}

const listed = async ({ route53, zoneId }: Account, name: string) => {
  const all = await route53.send(new ListResourceRecordSetsCommand({ HostedZoneId: zoneId }));
  return (all.ResourceRecordSets ?? []).filter((set) => set.Name?.replace("\\052", "*") === `${name}.`);
};

describeProvider("AWS Route 53", async (context) => {
  const { provider, zoneId, otherZoneId } = await begin(context);
  return {
    provider,
    zone: { id: zoneId },
    domain: "example.com",
    otherZone: { id: `/hostedzone/${otherZoneId}` },
    otherDomain: "example.org",
    missingZone: { id: "Z0000000NONE" },
    missingDomain: "example.net",
    ttl: 30,
    otherTtl: 300,
    knowsConditions: true,
  };
});

describe("AWS zones", () => {
  it("are found by their tags, among others", async (context) => {
    const { route53, provider } = await begin(context);
    const made: string[] = [];
    for (let i = 0; i < 12; i++) made.push(await createZone(route53, `tagged${i}.example`));
    for (const [i, id] of made.entries()) {
      await route53.send(
        new ChangeTagsForResourceCommand({
          ResourceType: "hostedzone",
          ResourceId: id,
          AddTags: [
            { Key: "Name", Value: i === 11 ? "cluster-x-int" : "other" },
            { Key: "kubernetes.io/cluster/cluster-x", Value: "owned" },
          ],
        }),
      );
    }
    const zone = { tags: { Name: "cluster-x-int", "kubernetes.io/cluster/cluster-x": "owned" } };
    const set: RecordSet = { name: "www.tagged11.example", type: "A", ttl: 30, values: ["192.0.2.1"] };
    await provider.change(zone, [{ type: "put", set, found: null }]);
    expect(await provider.look({ id: made[11] ?? "" }, [set.name])).toEqual([set]);
    const none = await failure(provider.look({ tags: { Name: "nobody" } }, [set.name]));
    expect(none.message).toContain("no hosted zone has the tags Name=nobody");
    const several = await failure(provider.look({ tags: { Name: "other" } }, [set.name]));
    expect(several.message).toContain("several hosted zones have the tags Name=other");
  });
});

describe("1.8.2 AWS: load balancers", () => {
  it("are aliases with the zone of the load balancer, found by name and removed when it is gone", async (context) => {
    const here = await begin(context);
    const { moto, provider, zoneId } = here;
    const subnets = (await listSubnets(moto, region)).slice(0, 2);
    const elb = new ElasticLoadBalancingV2Client({ region, endpoint: moto.endpoint, credentials: account });
    toEnd.push(() => elb.destroy());
    const made = await elb.send(
      new CreateLoadBalancerCommand({ Name: "network", Type: "network", Subnets: subnets }),
    );
    const { DNSName: target = "", CanonicalHostedZoneId: wanted } = made.LoadBalancers?.[0] ?? {};
    const targetZone = await provider.targetZone?.(target);
    expect(targetZone).toBe(wanted);
    expect(targetZone).toMatch(/^Z/);
    expect(await provider.targetZone?.("lb.example.net")).toBeUndefined();
    expect(await provider.targetZone?.("gone-0123.elb.us-east-1.amazonaws.com")).toBeUndefined();

    const set: RecordSet = {
      name: "*.apps.example.com",
      type: "CNAME",
      ttl: 60,
      values: [target.toLowerCase()],
      targetZone: targetZone ?? "",
    };
    await provider.change({ id: zoneId }, [{ type: "put", set, found: null }]);
    expect(await listed(here, "*.apps.example.com")).toMatchObject([
      { Type: "A", AliasTarget: { HostedZoneId: targetZone, EvaluateTargetHealth: false } },
    ]);
    expect(await provider.look({ id: zoneId }, [set.name])).toEqual([set]);

    await elb.send(
      new DeleteLoadBalancerCommand({ LoadBalancerArn: made.LoadBalancers?.[0]?.LoadBalancerArn }),
    );
    const later = await createAws({ endpoint: moto.endpoint });
    expect(await later.targetZone?.(target)).toBeUndefined();
    await later.change({ id: zoneId }, [{ type: "remove", set }]);
    expect(await later.look({ id: zoneId }, [set.name])).toEqual([]);
  });

  it("of both families are two aliases, and of the classic kind one", async (context) => {
    const here = await begin(context);
    const { moto, provider, zoneId } = here;
    const [first = "", second = ""] = await listSubnets(moto, region);
    const elb = new ElasticLoadBalancingV2Client({ region, endpoint: moto.endpoint, credentials: account });
    const classic = new ElasticLoadBalancingClient({ region, endpoint: moto.endpoint, credentials: account });
    toEnd.push(() => (elb.destroy(), classic.destroy()));
    const dual = await elb.send(
      new CreateLoadBalancerCommand({
        Name: "dual",
        Type: "application",
        IpAddressType: "dualstack",
        Subnets: [first, second],
      }),
    );
    const old = await classic.send(
      new CreateClassicCommand({
        LoadBalancerName: "classic",
        Listeners: [{ Protocol: "tcp", LoadBalancerPort: 80, InstancePort: 80 }],
        Subnets: [first],
      }),
    );
    const targets = [dual.LoadBalancers?.[0]?.DNSName ?? "", old.DNSName ?? ""];
    const ofDual = await provider.targetZone?.(targets[0] ?? "");
    const ofClassic = await provider.targetZone?.(targets[1] ?? "");
    const alias = (name: string, target = "", targetZone = ""): RecordSet => {
      return { name, type: "CNAME", ttl: 60, values: [target.toLowerCase()], targetZone };
    };
    const sets = [
      alias("dual.example.com", targets[0], ofDual),
      alias("classic.example.com", targets[1], ofClassic),
    ];
    await provider.change(
      { id: zoneId },
      sets.map((set) => ({ type: "put", set, found: null })),
    );
    expect((await listed(here, "dual.example.com")).map(({ Type: type }) => type)).toEqual(["A", "AAAA"]);
    expect((await listed(here, "classic.example.com")).map(({ Type: type }) => type)).toEqual(["A"]);
    const found = await provider.look({ id: zoneId }, ["dual.example.com", "classic.example.com"]);
    expect(found.toSorted((a, b) => (a.name > b.name ? -1 : 1))).toEqual(sets);
    // From an alias to addresses.
    const [was] = found.filter(({ name }) => name === "dual.example.com");
    const now: RecordSet = { name: "dual.example.com", type: "A", ttl: 30, values: ["192.0.2.1"] };
    await provider.change({ id: zoneId }, [
      { type: "remove", set: sets[0] as RecordSet, ...(was && { found: was }) },
      { type: "put", set: now, found: null },
    ]);
    expect(await provider.look({ id: zoneId }, ["dual.example.com"])).toEqual([now]);
  });
});

describe("AWS credentials", () => {
  it("may be a role that a token of the service account takes on", async (context) => {
    const { moto, zoneId } = await begin(context);
    const folder = mkdtempSync(join(tmpdir(), "gatewright-token-"));
    toEnd.push(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, "token"), "header.payload.signature\n");
    const file = `[default]\nsts_regional_endpoints = regional\nrole_arn = arn:aws:iam::123456789012:role/dns\nweb_identity_token_file = ${join(folder, "token")}\n`;
    const provider = await createAws({
      endpoint: moto.endpoint,
      given: new Map([["credentials", file]]),
    });
    expect(await provider.look({ id: zoneId }, ["none.example.com"])).toEqual([]);
    rmSync(join(folder, "token"));
    const tokenless = await createAws({ endpoint: moto.endpoint, given: new Map([["credentials", file]]) });
    expect(await failure(tokenless.look({ id: zoneId }, ["none.example.com"]))).toMatchObject({
      isDenied: true,
    });
  });

  it("that are missing are named before anybody is asked", async () => {
    const endpoint = "http://127.0.0.1:1";
    const given = new Map([["aws_access_key_id", "AKIAIOSFODNN7EXAMPLE"]]);
    expect(await failure(createAws({ endpoint, given }))).toMatchObject({
      isDenied: true,
      message: expect.stringContaining("aws_secret_access_key"),
    });
  });
});

describe("AWS answers that moto does not give", () => {
  const xml = (code: string, message: string, status: number, headers = {}): StandInAnswer => ({
    status,
    headers,
    body: `<?xml version="1.0"?><ErrorResponse xmlns="https://route53.amazonaws.com/doc/2013-04-01/"><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>r</RequestId></ErrorResponse>`,
  });
  const invalidBatch = (message: string): StandInAnswer => ({
    status: 400,
    body: `<?xml version="1.0"?><InvalidChangeBatch xmlns="https://route53.amazonaws.com/doc/2013-04-01/"><Messages><Message>${message}</Message></Messages><RequestId>r</RequestId></InvalidChangeBatch>`,
  });
  const set: RecordSet = { name: "www.example.com", type: "A", ttl: 30, values: ["192.0.2.1"] };

  it.each([
    ["throttling", xml("Throttling", "Rate exceeded", 400), { isThrottled: true, isDenied: false }],
    [
      "throttling with a time",
      xml("Throttling", "Rate exceeded", 400, { "retry-after": "1" }),
      { isThrottled: true, retryAfter: 1000 },
    ],
    [
      "an earlier change that is not done",
      xml("PriorRequestNotComplete", "still working", 400),
      { isThrottled: true },
    ],
    [
      "no permission",
      xml("AccessDenied", "User is not authorized to perform: route53:ChangeResourceRecordSets", 403),
      { isDenied: true, isThrottled: false, message: expect.stringContaining("ChangeResourceRecordSets") },
    ],
    [
      "wrong keys",
      xml(
        "InvalidClientTokenId",
        `The security token included in the request is invalid (${secretKey})`,
        403,
      ),
      { isDenied: true },
    ],
    [
      "a set that stands already",
      invalidBatch(
        "[Tried to create resource record set [name='www.example.com.', type='A'] but it already exists]",
      ),
      { isStale: true, isDenied: false },
    ],
    [
      "a set that stands otherwise",
      invalidBatch(
        "[Tried to delete resource record set [name='www.example.com.', type='A'] but the values provided do not match the current values]",
      ),
      { isStale: true },
    ],
    [
      "a set that is gone",
      xml(
        "InvalidChangeBatch",
        "[Tried to delete resource record set [name='www.example.com.', type='A'] but it was not found]",
        400,
      ),
      { isStale: true },
    ],
    [
      "a batch that is wrong",
      invalidBatch("[RRSet of type CNAME with DNS name www.example.com. is not permitted]"),
      { isStale: false, message: expect.stringContaining("is not permitted") },
    ],
  ])("%s: tried again only if asked too often, then told", async (_, answer, expected) => {
    const standIn = await startStandIn(() => answer);
    const provider = await createAws({ endpoint: standIn.url });
    const error = await failure(provider.change({ id: "Z1" }, [{ type: "put", set, found: null }]));
    expect(error).toMatchObject(expected);
    expect(standIn.requests).toHaveLength(error.isThrottled ? 3 : 1);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(secretKey);
    await standIn.stop();
  });

  it("a page of a proxy in between is no empty zone, and nothing is changed", async () => {
    const page = {
      headers: { "content-type": "text/html" },
      body: "<html><body>Please log in</body></html>",
    };
    const standIn = await startStandIn(() => page);
    const provider = await createAws({ endpoint: standIn.url });
    for (const work of [
      () => provider.look({ id: "Z1" }, [set.name]),
      () => provider.change({ id: "Z1" }, [{ type: "put", set, found: null }]),
      () => provider.look({ tags: { Name: "int" } }, [set.name]),
      async () => provider.targetZone?.("a-0123.elb.us-east-1.amazonaws.com"),
    ]) {
      expect((await failure(work())).message).toContain("is there a proxy in between?");
    }
    await standIn.stop();
  });

  it("a name's own page, and no more than are needed", async () => {
    const one = (name: string, value: string): string =>
      `<ResourceRecordSet><Name>${name}.</Name><Type>A</Type><TTL>30</TTL><ResourceRecords><ResourceRecord><Value>${value}</Value></ResourceRecord></ResourceRecords></ResourceRecordSet>`;
    const starts: (string | null)[] = [];
    const standIn = await startStandIn(({ query }) => {
      starts.push(query.get("name"));
      const isFirst = query.get("name") === "a.example.com";
      const sets = isFirst
        ? one("a.example.com", "192.0.2.1") + one("c.example.com", "192.0.2.3")
        : one("x.example.com", "192.0.2.24");
      const rest = isFirst
        ? "<IsTruncated>true</IsTruncated><NextRecordName>m.example.com.</NextRecordName><NextRecordType>A</NextRecordType>"
        : "<IsTruncated>false</IsTruncated>";
      return {
        body: `<?xml version="1.0"?><ListResourceRecordSetsResponse xmlns="https://route53.amazonaws.com/doc/2013-04-01/"><ResourceRecordSets>${sets}</ResourceRecordSets>${rest}<MaxItems>300</MaxItems></ListResourceRecordSetsResponse>`,
      };
    });
    const provider = await createAws({ endpoint: standIn.url });
    const names = ["x", "c", "b", "a", "y"].map((label) => `${label}.example.com`);
    const found = await provider.look({ id: "Z1" }, names);
    expect(found.map(({ name }) => name)).toEqual(["a.example.com", "c.example.com", "x.example.com"]);
    expect(starts).toEqual(["a.example.com", "x.example.com"]);
    await standIn.stop();
  });
});
