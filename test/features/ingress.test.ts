/** 5.20: Ingresses beside the Gateway API, and what `gatewright migrate` makes of them: the same requests are answered alike before and after. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrateFrom, type Migrated } from "../../src/controller/migrate.ts";
import type { Answer } from "../../src/driver-kit/traffic/answer.ts";
import { startHttpBackend, type HttpBackend } from "../../src/driver-kit/traffic/http-backend.ts";
import { seenHeader } from "../../src/driver-kit/traffic/seen-request.ts";
import { memorySource } from "../../src/sources/index.ts";
import { annotationRoles } from "../../src/translate/ingress/annotation-table.ts";
import { makeCa, makeCertificate } from "../certificates.ts";
import { shownCertificate } from "../tls-client.ts";
import { objectsIn, startGateway, type GatewayUnderTest } from "./support/gateway-under-test.ts";
import { ingressExamples, type ExampleRequest, type IngressExample } from "./support/ingress-examples.ts";
import { caBundle, secret, service } from "./support/objects.ts";

const layers = {
  gateway: "infra/ingress",
  gatewayClass: "gatewright",
  ingresses: { controllers: [], names: [], byName: false, withoutClass: true, ignoreClass: false },
};

const backends: HttpBackend[] = [];
let shared = "";

beforeAll(async () => {
  const start = async (...[options]: Parameters<typeof startHttpBackend>) => {
    const backend = await startHttpBackend(options);
    backends.push(backend);
    return backend.port;
  };
  const ca = await makeCa();
  const web = await start({
    name: "web",
    answer: ({ target }) => (target === "/never" ? { delay: 20_000 } : undefined),
  });
  const other = await start({ name: "other" });
  const h2c = await start({ name: "h2c", http2: true });
  const secure = await start({ name: "secure", tls: await makeCertificate({ ca, names: ["secure.test"] }) });
  shared =
    service("web", [web]) +
    service("other", [other]) +
    service("h2c", [h2c], { appProtocol: "kubernetes.io/h2c" }) +
    service("secure", [secure]) +
    service("named", [web])
      .replace("port: 80,", "name: http, port: 80,")
      .replace("ports: [{ port: " + web, `ports: [{ name: http, port: ${web}`) +
    caBundle("secure-ca", ca.certificate) +
    secret("shop-tls", await makeCertificate({ names: ["shop.test"] }));
});

afterAll(async () => {
  await Promise.all(backends.map((backend) => backend.stop()));
});

const toWeb = { path: "/", pathType: "Prefix", backend: { service: { name: "web", port: { number: 80 } } } };
const usual = `rules: [{ host: shop.test, http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: web, port: { number: 80 } } } }] } }]`;

function ingressesOf(example: IngressExample): string {
  const { annotations = {}, spec = usual, canary, more = "", ingresses = "", created } = example;
  const age = created === undefined ? "" : `, creationTimestamp: "${created}"`;
  const withPrefix = (own: Readonly<Record<string, string>>) =>
    JSON.stringify(
      Object.fromEntries(
        Object.entries(own).map(([name, value]) => [`nginx.ingress.kubernetes.io/${name}`, value]),
      ),
    );
  const ingress = (name: string, own: Readonly<Record<string, string>>, body: string) => `
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: ${name}, namespace: shop, annotations: ${withPrefix(own)}${age} }
spec:
  ${body}
`;
  return (
    ingress("shop", annotations, spec) +
    (canary ? ingress("canary", canary, spec.replace("name: web", "name: other")) : "") +
    ingresses +
    more
  );
}

async function ask(gateway: GatewayUnderTest, { https, host = "shop.test", ...request }: ExampleRequest) {
  const { answer: _answer, shows = [], beforeOnly: _only, ...rest } = request;
  const tls = https ? { tls: { servername: host, rejectUnauthorized: false } } : {};
  const answer = await gateway.get({ ...rest, host, port: https ? 443 : 80, ...tls });
  return [describeAnswer(answer), ...shows.map((name) => shown(answer, name))].join(" ");
}

function describeAnswer(answer: Answer): string {
  const { seen } = answer;
  if (seen) return `${seen.backend} ${seen.target}`;
  const location = answer.header("location");
  return location === undefined ? String(answer.status) : `${answer.status} ${location}`;
}

function shown(answer: Answer, name: string): string {
  if (name.startsWith(">")) return (answer.seen && seenHeader(answer.seen, name.slice(1))) ?? "-";
  const value = answer.header(name) ?? "-";
  if (name !== "set-cookie") return value;
  const lifetime = /; Max-Age=([0-9]+)/i.exec(value)?.[1];
  return [value.split("=")[0], ...(lifetime === undefined ? [] : [lifetime])].join(" ");
}

const yamlOf = ({ objects }: Migrated) =>
  objects.map(({ object }) => `\n---\n${JSON.stringify(object)}`).join("");

describe.each(ingressExamples)("5.20 $title", (example) => {
  it("answers as it should", async () => {
    const gateway = await startGateway(shared + ingressesOf(example), { settings: { layers } });
    for (const request of example.requests) expect(await ask(gateway, request)).toBe(request.answer);
    expect(gateway.faults).toEqual([]);
  });

  it("answers alike when it was migrated", async () => {
    const migrated = await migrateFrom(memorySource(objectsIn(shared + ingressesOf(example))), layers);
    const gateway = await startGateway(shared + (example.more ?? "") + yamlOf(migrated), {
      settings: { layers },
    });
    for (const request of example.requests.filter(({ beforeOnly }) => !beforeOnly))
      expect(await ask(gateway, request)).toBe(request.answer);
    const told = (outcome: string) =>
      migrated.notes.filter((note) => note.outcome === outcome).map(({ message }) => message);
    const inPart = (parts: readonly string[]) =>
      parts.map((part) => expect.stringContaining(part) as unknown);
    expect(told("lost")).toEqual(inPart(example.lost ?? []));
    expect(told("carried")).toEqual(inPart(example.carried ?? []));
    expect(told("kept")).toEqual(inPart(example.kept === undefined ? [] : [example.kept]));
  });
});

it("5.20 shows certificates by server name, and the default one to all others", async () => {
  const named = async (name: string, namespace: string) =>
    secret(name, await makeCertificate({ names: [`${name}.test`], commonName: name }), namespace);
  const example: IngressExample = {
    title: "",
    requests: [],
    spec: `tls: [{ hosts: [own.test], secretName: own }, { hosts: ["*.wild.test"], secretName: wild }, { hosts: [none.test] }]
  rules: ${JSON.stringify(["own.test", "*.wild.test", "none.test"].map((host) => ({ host, http: { paths: [toWeb] } })))}`,
  };
  const certificates = [
    ["own", "shop"],
    ["wild", "shop"],
    ["standard", "infra"],
  ] as const;
  const pairs = await Promise.all(certificates.map(([name, namespace]) => named(name, namespace)));
  const defaultCertificate = { namespace: "infra", name: "standard" };
  const settings = { layers: { ...layers, defaultCertificate } };
  const gateway = await startGateway(shared + pairs.join("") + ingressesOf(example), { settings });
  const names = ["own.test", "a.wild.test", "none.test", "elsewhere.test"];
  const { port } = gateway.at(443);
  const seen = await Promise.all(names.map((name) => shownCertificate(port, name)));
  expect(seen).toEqual(["own", "wild", "standard", "standard"]);
  expect(await ask(gateway, { host: "none.test", https: true, answer: "" })).toBe("web /");
  expect(await ask(gateway, { host: "none.test", answer: "" })).toBe("308 https://none.test/");
});

it("has an example for every annotation that is honoured", () => {
  const used = new Set(
    ingressExamples.flatMap(({ annotations = {}, canary = {} }) =>
      Object.keys({ ...annotations, ...canary }),
    ),
  );
  const honoured = [...annotationRoles].filter(([, role]) => role === "honoured").map(([name]) => name);
  expect(honoured.filter((name) => !used.has(name))).toEqual([]);
  expect(ingressExamples.length).toBeGreaterThanOrEqual(30);
});
