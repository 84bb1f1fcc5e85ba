import { describe, expect, it } from "vitest";
import { environmentOf, etcFiles, expand, MissingReferenceError, podField } from "./environment.mjs";
import { imageName } from "./images.mjs";
import { parseQuantity, resourceField } from "./quantities.mjs";

const pod = {
  object: {
    metadata: { name: "p", namespace: "n", labels: { b: "2", a: "1" } },
    spec: { hostAliases: [{ ip: "10.1.1.1", hostnames: ["x"] }] },
  },
  addresses: ["10.244.0.3"],
};
const store = (objects = {}) => ({ get: (namespace, name) => objects[`${namespace}/${name}`] });

describe("the environment", () => {
  const stores = {
    configMaps: store({ "n/c": { data: { K: "from-config" } } }),
    secrets: store({ "n/s": { data: { K: Buffer.from("from-secret").toString("base64") } } }),
  };
  const of = (container) => environmentOf(container, pod, stores, { env: { FROM_IMAGE: "yes" } });

  it("comes from everywhere, the later over the earlier", () => {
    const environment = of({
      envFrom: [{ prefix: "C_", configMapRef: { name: "c" } }, { secretRef: { name: "s" } }],
      env: [
        { name: "A", value: "1" },
        { name: "B", value: "$(A)$(C_K)" },
        { name: "K", valueFrom: { configMapKeyRef: { name: "c", key: "K" } } },
        { name: "NONE", valueFrom: { secretKeyRef: { name: "missing", key: "x", optional: true } } },
      ],
    });
    expect(Object.fromEntries(environment)).toMatchObject({
      FROM_IMAGE: "yes",
      C_K: "from-config",
      B: "1from-config",
      K: "from-config",
    });
    expect(environment.has("NONE")).toBe(false);
  });

  it("waits for what is missing", () => {
    expect(() => of({ envFrom: [{ secretRef: { name: "late" } }] })).toThrow(MissingReferenceError);
    expect(() =>
      of({ env: [{ name: "A", valueFrom: { secretKeyRef: { name: "s", key: "other" } } }] }),
    ).toThrow(MissingReferenceError);
  });
});

it("expands what it knows", () => {
  expect(expand("$(A) $$(A) $(B) $A", new Map([["A", "1"]]))).toBe("1 $(A) $(B) $A");
});

it.each([
  ["metadata.labels", 'a="1"\nb="2"'],
  ["metadata.labels['b']", "2"],
  ["metadata.annotations['none']", ""],
  ["status.podIP", "10.244.0.3"],
])("has the field %s", (path, value) => {
  expect(podField(pod, path)).toBe(value);
});

it("knows the Pod's own names", () => {
  expect(etcFiles(pod)["/etc/hosts"]).toContain("10.244.0.3 p\n10.1.1.1 x\n");
  expect(etcFiles(pod)["/etc/resolv.conf"]).toContain(
    "search n.svc.cluster.local svc.cluster.local cluster.local",
  );
});

it.each([
  ["250m", 0.25],
  ["64Mi", 2 ** 26],
  ["1e3", 1000],
  ["2", 2],
  ["x", undefined],
])("reads the quantity %s", (text, value) => {
  expect(parseQuantity(text)).toBe(value);
});

it("tells a container its limits, in units of the divisor", () => {
  const container = { resources: { limits: { cpu: "250m" }, requests: { memory: "100Mi" } } };
  expect(resourceField(container, { resource: "limits.cpu" })).toBe("1");
  expect(resourceField(container, { resource: "limits.cpu", divisor: "1m" })).toBe("250");
  expect(resourceField(container, { resource: "requests.memory", divisor: "1Mi" })).toBe("100");
});

it.each([
  ["envoy", "envoy"],
  ["docker.test/envoyproxy/envoy:distroless-v1.40.0", "envoy"],
  ["registry.test:5000/a/gatewright@sha256:00ff", "gatewright"],
])("calls the image %s by its last part", (image, name) => {
  expect(imageName(image)).toBe(name);
});
