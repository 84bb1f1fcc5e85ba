/** Google's own SDK against a stand-in for Google. */
import { generateKeyPairSync } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { refusal, startGoogle, type GoogleStandIn } from "../../../../../test/dns/google/google-stand-in.ts";
import {
  describeProvider,
  describeStrangeAnswers,
  failure,
} from "../../../../../test/dns/provider-contract.ts";
import type { DnsProvider, RecordSet } from "../../provider.ts";
import { createProvider } from "./index.ts";

const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = (key: typeof keys.privateKey): string => String(key.export({ type: "pkcs8", format: "pem" }));
const email = "dns@project-1.iam.gserviceaccount.com";
const accountKey = (privateKey = keys.privateKey): string =>
  JSON.stringify({
    type: "service_account",
    project_id: "project-1",
    private_key_id: "0123456789abcdef",
    private_key: pem(privateKey),
    client_email: email,
    token_uri: "https://oauth2.googleapis.com/token",
  });
const credentials = new Map([["service_account.json", accountKey()]]);
const zone = { id: "public-zone" };
const www: RecordSet = { name: "www.example.com", type: "A", ttl: 30, values: ["192.0.2.1"] };

const toEnd: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of toEnd.toReversed()) await end();
});

async function begin(given: ReadonlyMap<string, string> = credentials) {
  const google = await startGoogle({
    email,
    publicKey: String(keys.publicKey.export({ type: "spki", format: "pem" })),
    zones: ["project-1/public-zone", "project-2/private-zone"],
    pageSize: 7,
  });
  const provider = createProvider({ credentials: given, settings: {} }, { redirect: google.redirect });
  toEnd.push(
    () => provider.stop(),
    () => google.stop(),
  );
  return { google, provider };
}

let shared: Promise<{ google: GoogleStandIn; provider: DnsProvider }> | undefined;

describeProvider("Google Cloud DNS", async () => {
  const { provider } = await (shared ??= begin());
  return {
    provider,
    zone,
    domain: "example.com",
    otherZone: { id: "projects/project-2/managedZones/private-zone" },
    otherDomain: "internal.example",
    missingZone: { id: "no-zone" },
    missingDomain: "none.example",
    ttl: 30,
    otherTtl: 300,
    knowsConditions: true,
  };
});

describeStrangeAnswers("Google", async () => {
  const { google, provider } = await begin();
  const isMeant = ({ path }: { path: string }) => !path.endsWith("/token");
  return {
    provider,
    zone,
    domain: "example.com",
    answerNext: (answer) => google.answerNext(isMeant, answer),
  };
});

describe("Google: what is sent", () => {
  it("is one change for all, with what was found deleted as it was", async () => {
    const { google, provider } = await begin();
    const mark: RecordSet = { name: "_mark.www.example.com", type: "TXT", ttl: 300, values: ["ours"] };
    await provider.change(zone, [
      { type: "put", set: mark, found: null },
      { type: "put", set: www, found: null },
    ]);
    expect(google.takeCalls()).toEqual([
      "POST /oauth2.googleapis.com/token",
      "POST /dns.googleapis.com/dns/v1/projects/project-1/managedZones/public-zone/changes",
    ]);
    const [found] = await provider.look(zone, [www.name]);
    const moved = { ...www, ttl: 60, values: ["192.0.2.2", "192.0.2.3"] };
    await provider.change(zone, [{ type: "put", set: moved, found: found! }]);
    expect(google.requests.at(-1)?.body).toMatchObject({
      additions: [{ name: "www.example.com.", type: "A", ttl: 60, rrdatas: ["192.0.2.2", "192.0.2.3"] }],
      deletions: [{ name: "www.example.com.", type: "A", ttl: 30, rrdatas: ["192.0.2.1"] }],
    });
    const late = await failure(provider.change(zone, [{ type: "remove", set: www, found: found! }]));
    expect(late).toMatchObject({ isStale: true, message: expect.stringContaining("conditionNotMet") });
    await provider.change(zone, [{ type: "remove", set: moved, found: moved }]);
    const gone = await failure(provider.change(zone, [{ type: "remove", set: moved, found: moved }]));
    expect(gone).toMatchObject({ isStale: true });
  });

  it("asks for a few names of a large zone one by one, and nothing to put what stands", async () => {
    const { google, provider } = await begin();
    const sets = Array.from({ length: 30 }, (_, i): RecordSet => ({ ...www, name: `n${i}.example.com` }));
    await provider.change(
      zone,
      sets.map((set) => ({ type: "put", set, found: null })),
    );
    google.takeCalls();
    const names = sets.map(({ name }) => name);
    expect(await provider.look(zone, names)).toHaveLength(30);
    expect(google.takeCalls()).toHaveLength(5);
    expect(await provider.look(zone, ["n7.example.com"])).toEqual([sets[7]]);
    expect(google.takeCalls()).toHaveLength(1);
    await provider.change(zone, [{ type: "put", set: sets[7]! }]);
    expect(google.takeCalls().filter((call) => call.startsWith("POST"))).toEqual([]);
  });
});

describe("Google: what is answered", () => {
  const isChange = ({ path }: { path: string }) => path.endsWith("/changes");

  it("too often: tried again after a while, and told if it was not enough", async () => {
    const { google, provider } = await begin();
    const throttled = {
      ...refusal(429, "rateLimitExceeded", "Rate Limit Exceeded"),
      headers: { "retry-after": "9" },
    };
    for (let i = 0; i < 3; i++) google.answerNext(isChange, throttled);
    const error = await failure(provider.change(zone, [{ type: "put", set: www, found: null }]));
    expect(error).toMatchObject({ isThrottled: true, isDenied: false, retryAfter: 9_000 });
    expect(google.requests.filter(isChange)).toHaveLength(3);
    // A quota of the project is told as 403.
    google.answerNext(isChange, refusal(403, "quotaExceeded", "Queries per minute"));
    const quota = await failure(provider.change(zone, [{ type: "put", set: www, found: null }]));
    expect(quota).toMatchObject({ isThrottled: true, isDenied: false });
    await provider.change(zone, [{ type: "put", set: www, found: null }]);
  });

  it("not permitted: says what is not", async () => {
    const { google, provider } = await begin();
    google.answerNext(isChange, refusal(403, "forbidden", "Missing dns.changes.create on public-zone"));
    const error = await failure(provider.change(zone, [{ type: "put", set: www, found: null }]));
    expect(error).toMatchObject({
      isDenied: true,
      isThrottled: false,
      message: expect.stringContaining("forbidden: Missing dns.changes.create on public-zone (HTTP 403)"),
    });
  });

  it("a key that is not the account's: says so, without the key", async () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const { provider } = await begin(new Map([["service_account.json", accountKey(privateKey)]]));
    const error = await failure(provider.look(zone, [www.name]));
    expect(error).toMatchObject({
      isDenied: true,
      message: expect.stringContaining("invalid_grant: Invalid JWT Signature."),
    });
    const said = JSON.stringify(error, Object.getOwnPropertyNames(error));
    for (const line of pem(privateKey).split("\n").slice(1, -2)) expect(said).not.toContain(line);
  });
});

describe("Google: what is given", () => {
  it("has to be a key of a service account", () => {
    const create = (text: string) => () =>
      createProvider({ credentials: new Map([["service_account.json", text]]), settings: {} });
    expect(create("not json")).toThrow("service_account.json");
    expect(create('{"type":"authorized_user"}')).toThrow("service_account");
    expect(() => createProvider({ credentials: new Map(), settings: {} })).toThrow("service_account.json");
  });

  it("has to name a zone", async () => {
    const { provider } = await begin();
    expect((await failure(provider.look({ id: "../other" }, ["a"]))).message).toContain("is no zone");
    expect((await failure(provider.look({}, ["a"]))).message).toContain("no id");
  });
});
