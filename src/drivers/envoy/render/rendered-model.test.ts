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

describe("a change sends what it changes", () => {
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
