import { beforeAll, describe, expect, it } from "vitest";
import { makeCa, makeCertificate, type MadeCertificate } from "../../../../test/certificates.ts";
import {
  backendItem,
  endpointsItem,
  listenerItem,
  rule,
  serverNameItem,
  streamRouteItem,
  to,
  virtualHostItem,
} from "../../../../test/model-items.ts";
import { modelChanges } from "../../../../test/model-changes.ts";
import { encodeMessage } from "../messages/index.ts";
import { scopeName } from "./names.ts";
import { RenderedModel } from "./rendered-model.ts";

const http = listenerItem("http", 80);
const tls = listenerItem("tls", 443);
const tcp = listenerItem("tcp", 5432);
const backends = ["one", "two"].map((name) => backendItem(name));
const [one, two] = backends as [(typeof backends)[0], (typeof backends)[0]];
const certificate = "Secret/kit/a";

let made: MadeCertificate;
let renewed: MadeCertificate;
beforeAll(async () => {
  const ca = await makeCa();
  [made, renewed] = [
    await makeCertificate({ names: ["a.test"], ca }),
    await makeCertificate({ names: ["a.test"], ca }),
  ];
});

type Items = Parameters<typeof modelChanges>[0];

/** A model with many hosts, and what is sent for changes of it. */
function started() {
  const model = new RenderedModel({ addresses: ["0.0.0.0"], systemRoots: "/roots.pem" });
  const apply = (items: Items) => {
    const { resources, removed, problems } = model.apply(modelChanges(items));
    return {
      set: resources.map(({ type, name }) => `${type.split(".").at(-1)} ${name}`),
      removed: removed.map(({ type, name }) => `${type.split(".").at(-1)} ${name}`),
      problems,
    };
  };
  const first = apply({
    certificates: [{ key: certificate, ...made }],
    backends,
    endpoints: backends.map((backend) => endpointsItem(backend, 8080)),
    listeners: [http, tls, tcp],
    serverNames: Array.from({ length: 50 }, (_, index) =>
      serverNameItem(tls, `${index}.test`, { type: "http", certificates: [certificate] }),
    ),
    virtualHosts: [
      ...Array.from({ length: 50 }, (_, index) =>
        virtualHostItem(http, `${index}.test`, [rule("/", { backends: [to(one)] })]),
      ),
      virtualHostItem(http, "*.test", [rule("/", { backends: [to(one)] })]),
    ],
    streamRoutes: [streamRouteItem(tcp, to(one))],
  });
  return { first, apply };
}

const id = "kit/gateway/tcp";
const scopeType = "envoy.config.route.v3.ScopedRouteConfiguration";

describe("a change sends what it changes", () => {
  it("one rule among many on a host: the others are not rendered again, and all is as if they were", () => {
    const settings = { addresses: ["0.0.0.0"], systemRoots: "/roots.pem" };
    const rules = Array.from({ length: 100 }, (_, index) => rule(`/${index}`, { backends: [to(one)] }));
    const model = new RenderedModel(settings);
    const scopeOf = (of: RenderedModel, items: Items) => {
      const all = of.apply(modelChanges(items)).resources;
      const found = all.find(({ name }) => name === scopeName(`${id}/80|a.test`));
      if (found?.type !== scopeType) throw new Error("no scope");
      return found.message;
    };
    const routesOf = (scope: ReturnType<typeof scopeOf>) =>
      scope.routeConfiguration!.virtualHosts![0]!.routes!;
    const hosts = (list: typeof rules) => ({ virtualHosts: [virtualHostItem(http, "a.test", list)] });
    const before = scopeOf(model, { listeners: [http], backends, ...hosts(rules) });
    encodeMessage(scopeType, before);
    const changed = rules.with(50, rule("/50", { backends: [to(two)] })).slice(1);
    const after = scopeOf(model, hosts(changed));
    const known = new Set(routesOf(before));
    // The first one is that of TRACE.
    expect(routesOf(after).filter((route) => !known.has(route))).toEqual([routesOf(after)[50]]);
    const fresh = structuredClone(hosts(changed));
    const anew = scopeOf(new RenderedModel(settings), { listeners: [http], backends, ...fresh });
    expect(encodeMessage(scopeType, after)).toEqual(encodeMessage(scopeType, anew));
  });

  it("one scope for a virtual host, however many there are", () => {
    const { apply } = started();
    const changed = apply({
      virtualHosts: [virtualHostItem(http, "7.test", [rule("/new", { backends: [to(two)] })])],
    });
    expect(changed.set).toEqual([`ScopedRouteConfiguration ${scopeName(`${id}/80|7.test`)}`]);
  });

  it("one scope for a wildcard, and the index only when one comes or goes", () => {
    const { apply } = started();
    const changed = apply({
      virtualHosts: [virtualHostItem(http, "*.test", [rule("/new", { backends: [to(two)] })])],
    });
    expect(changed.set).toEqual([`ScopedRouteConfiguration ${scopeName(`${id}/80~.test`)}`]);
    const added = apply({ virtualHosts: [virtualHostItem(http, "*", [])] });
    expect(added.set.toSorted()).toEqual([
      `ScopedRouteConfiguration ${scopeName(`${id}/80~`)}`,
      `ScopedRouteConfiguration ${scopeName(`${id}/80~*`)}`,
    ]);
    const removed = apply({ virtualHosts: [`${http.key}|*`] });
    expect(removed.set).toEqual([`ScopedRouteConfiguration ${scopeName(`${id}/80~`)}`]);
    expect(removed.removed).toEqual([`ScopedRouteConfiguration ${scopeName(`${id}/80~*`)}`]);
  });

  it("one load assignment for an endpoint set, and one more for each stream that it serves", () => {
    const { apply } = started();
    expect(apply({ endpoints: [endpointsItem(two, 8081)] }).set).toEqual([
      `ClusterLoadAssignment ${two.key}`,
    ]);
    const shared = apply({ endpoints: [endpointsItem(one, 8081)] }).set;
    expect(shared).toContain(`ClusterLoadAssignment ${one.key}`);
    expect(shared).toContain(`ClusterLoadAssignment streams/${tcp.key}`);
    expect(shared.filter((name) => name.startsWith("Listener") || name.startsWith("Scoped"))).toEqual([]);
  });

  it("a cluster with its endpoints where one of them is a name", () => {
    const { apply } = started();
    const named = apply({ endpoints: [{ key: two.key, endpoints: [{ address: "db.test", port: 80 }] }] });
    expect(named.set).toEqual([`Cluster ${two.key}`]);
    expect(named.removed).toEqual([`ClusterLoadAssignment ${two.key}`]);
  });

  it("no listener for server names and certificates on demand", () => {
    const { apply } = started();
    const added = apply({
      serverNames: [serverNameItem(tls, "new.test", { type: "http", certificates: [certificate] })],
    });
    expect(added.set.toSorted()).toEqual([
      `ScopedRouteConfiguration ${scopeName(`${id}/443!new.test`)}`,
      `Secret server-name/${tls.key}|new.test`,
    ]);
    const rotated = apply({ certificates: [{ key: certificate, ...renewed }] });
    expect(new Set(rotated.set.map((name) => name.split(" ")[0]))).toEqual(new Set(["Secret"]));
  });

  it("nothing for a certificate that cannot be used, but a problem, until that is over", () => {
    const { apply } = started();
    const broken = apply({ certificates: [{ key: certificate, certificates: "none", privateKey: "none" }] });
    expect(broken.set).toEqual([]);
    expect(broken.problems).toEqual([
      {
        kind: "certificates",
        key: certificate,
        message: `${certificate}: there is no PEM block CERTIFICATE in it`,
      },
    ]);
    const mended = apply({ certificates: [{ key: certificate, ...renewed }] });
    expect(mended.problems).toEqual([{ kind: "certificates", key: certificate }]);
  });

  it("takes everything away that it gave", () => {
    const { first, apply } = started();
    const { set, removed } = apply({
      certificates: [certificate],
      backends: [one.key, two.key],
      endpoints: [one.key, two.key],
      listeners: [http.key, tls.key, tcp.key],
      serverNames: Array.from({ length: 50 }, (_, index) => `${tls.key}|${index}.test`),
      virtualHosts: [
        ...Array.from({ length: 50 }, (_, index) => `${http.key}|${index}.test`),
        `${http.key}|*.test`,
      ],
      streamRoutes: [tcp.key],
    });
    expect(set).toEqual([]);
    expect(removed.toSorted()).toEqual(first.set.toSorted());
  });
});
