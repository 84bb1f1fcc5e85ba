/** Alibaba Cloud's own SDK against a stand-in for Alibaba Cloud DNS. */
import { afterAll, describe, expect, it } from "vitest";
import {
  refusal,
  startAlibaba,
  type AlibabaStandIn,
} from "../../../../../test/dns/alibaba/alibaba-stand-in.ts";
import {
  describeProvider,
  describeStrangeAnswers,
  failure,
} from "../../../../../test/dns/provider-contract.ts";
import type { DnsProvider, RecordSet } from "../../provider.ts";
import { createProvider } from "./index.ts";

const secret = "secret-of-alibaba-0123456789";
const credentials = new Map([
  ["alibaba_access_key_id", "LTAI5t-key-of-the-test"],
  ["alibaba_access_key_secret", secret],
]);
const zone = { id: "example.com" };
const www: RecordSet = { name: "www.example.com", type: "A", ttl: 600, values: ["192.0.2.1"] };

const toEnd: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of toEnd.toReversed()) await end();
});

async function begin(given: ReadonlyMap<string, string> = credentials, settings = {}) {
  const alibaba = await startAlibaba({
    accessKeyId: "LTAI5t-key-of-the-test",
    accessKeySecret: secret,
    domains: ["example.com", "example.org"],
    minimumTtl: 600,
  });
  const { plainEndpoint } = alibaba;
  const provider = createProvider({ credentials: given, settings }, { plainEndpoint });
  toEnd.push(
    () => provider.stop(),
    () => alibaba.stop(),
  );
  return { alibaba, provider };
}

let shared: Promise<{ alibaba: AlibabaStandIn; provider: DnsProvider }> | undefined;

describeProvider("Alibaba Cloud DNS", async () => {
  const { provider } = await (shared ??= begin());
  return {
    provider,
    zone,
    domain: "example.com",
    otherZone: { id: "example.org" },
    otherDomain: "example.org",
    missingZone: { id: "none.example" },
    missingDomain: "none.example",
    ttl: 600,
    otherTtl: 900,
    // A record that stands already is refused.
    knowsConditions: true,
  };
});

describeStrangeAnswers("Alibaba", async () => {
  const { alibaba, provider } = await begin();
  return {
    provider,
    zone,
    domain: "example.com",
    answerNext: (answer) => alibaba.answerNext(() => true, answer),
  };
});

describe("Alibaba: what is sent", () => {
  it("is one record at a time, marks first, with a TTL that is taken", async () => {
    const { alibaba, provider } = await begin();
    const mark: RecordSet = { name: "_mark.www.example.com", type: "TXT", ttl: 300, values: ["ours"] };
    const both = { ...www, ttl: 30, values: ["192.0.2.1", "192.0.2.2"] };
    await provider.change(zone, [
      { type: "put", set: both, found: null },
      { type: "put", set: mark, found: null },
    ]);
    expect(alibaba.requests.map(({ headers, query }) => [headers["x-acs-action"], query.toString()])).toEqual(
      [
        ["AddDomainRecord", "DomainName=example.com&RR=_mark.www&TTL=600&Type=TXT&Value=ours"],
        ["AddDomainRecord", "DomainName=example.com&RR=www&TTL=600&Type=A&Value=192.0.2.1"],
        ["AddDomainRecord", "DomainName=example.com&RR=www&TTL=600&Type=A&Value=192.0.2.2"],
      ],
    );
    const [found] = await provider.look(zone, [www.name]);
    alibaba.takeActions();
    const moved = { ...www, values: ["192.0.2.2", "192.0.2.9"] };
    await provider.change(zone, [{ type: "put", set: moved, found: found! }]);
    expect(alibaba.takeActions()).toEqual(["UpdateDomainRecord"]);
    await provider.change(zone, [{ type: "remove", set: moved }]);
    // They are gone already.
    await provider.change(zone, [{ type: "remove", set: found!, found: found! }]);
    const other = { ...www, values: ["192.0.2.7"] };
    const late = await failure(provider.change(zone, [{ type: "put", set: other, found: found! }]));
    expect(late).toMatchObject({ isStale: true });
  });

  it("reads a large zone in pages, and asks for a few names of it by name", async () => {
    const { alibaba, provider } = await begin();
    const values = Array.from({ length: 510 }, (_, i) => `192.0.${i >> 8}.${i & 255}`);
    const many: RecordSet = { name: "many.example.com", type: "A", ttl: 600, values };
    const apex: RecordSet = { name: "example.com", type: "A", ttl: 600, values: ["192.0.2.1"] };
    await provider.change(zone, [
      { type: "put", set: many, found: null },
      { type: "put", set: apex, found: null },
    ]);
    alibaba.takeActions();
    expect(await provider.look(zone, [many.name])).toEqual([many]);
    expect(alibaba.takeActions()).toEqual(["DescribeDomainRecords", "DescribeDomainRecords"]);
    expect(await provider.look(zone, [apex.name])).toEqual([apex]);
    expect(alibaba.takeActions()).toEqual(["DescribeSubDomainRecords"]);
  });

  it("may have a shorter TTL where the edition takes it", async () => {
    const { alibaba, provider } = await begin(credentials, { minimumTTL: "60" });
    await failure(provider.change(zone, [{ type: "put", set: { ...www, ttl: 30 }, found: null }]));
    expect(alibaba.requests.at(-1)?.query.get("TTL")).toBe("60");
  });
});

describe("Alibaba: what is answered", () => {
  const isAdd = ({ headers }: { headers: Record<string, unknown> }) =>
    headers["x-acs-action"] === "AddDomainRecord";

  it("too often: the time that Alibaba names is waited for, and told if it was not enough", async () => {
    const { alibaba, provider } = await begin();
    const throttled = {
      ...refusal(400, "Throttling.User", "Request was denied due to user flow control."),
      headers: { "x-acs-retry-after": "20" },
    };
    for (let i = 0; i < 3; i++) alibaba.answerNext(isAdd, throttled);
    const error = await failure(provider.change(zone, [{ type: "put", set: www, found: null }]));
    expect(error).toMatchObject({ isThrottled: true, isDenied: false, retryAfter: 20 });
    expect(alibaba.requests.filter(isAdd)).toHaveLength(3);
    alibaba.answerNext(isAdd, refusal(503, "ServiceUnavailable", "The service is not available."));
    await provider.change(zone, [{ type: "put", set: www, found: null }]);
  });

  it("wrong credentials: says so, without them", async () => {
    const wrong = new Map([...credentials, ["alibaba_access_key_secret", "another-secret-0123456789"]]);
    const { provider } = await begin(wrong);
    const error = await failure(provider.look(zone, [www.name]));
    expect(error).toMatchObject({
      isDenied: true,
      message: expect.stringContaining("SignatureDoesNotMatch: Specified signature"),
    });
    const said = JSON.stringify(error, Object.getOwnPropertyNames(error));
    expect(said).not.toContain("another-secret-0123456789");
    const unknown = await begin(new Map([...credentials, ["alibaba_access_key_id", "LTAI5t-of-nobody"]]));
    const other = await failure(unknown.provider.look(zone, [www.name]));
    expect(other).toMatchObject({ isDenied: true });
  });

  it("not permitted: says what is not", async () => {
    const { alibaba, provider } = await begin();
    alibaba.answerNext(isAdd, refusal(403, "Forbidden.RAM", "User not authorized to operate alidns."));
    const error = await failure(provider.change(zone, [{ type: "put", set: www, found: null }]));
    expect(error).toMatchObject({
      isDenied: true,
      message: expect.stringContaining("Forbidden.RAM: User not authorized to operate alidns."),
    });
  });
});

describe("Alibaba: what is given", () => {
  it("has to hold a key, and a TTL that is one", async () => {
    expect(() => createProvider({ credentials: new Map(), settings: {} })).toThrow("alibaba_access_key_id");
    expect(() => createProvider({ credentials, settings: { minimumTTL: "soon" } })).toThrow("minimumTTL");
    const { provider } = await begin();
    const outside: RecordSet = { ...www, name: "www.example.net" };
    const error = await failure(provider.change(zone, [{ type: "put", set: outside, found: null }]));
    expect(error.message).toContain("not in the zone");
  });
});
