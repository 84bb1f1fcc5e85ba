import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../../kubernetes/index.ts";
import { crdProtection } from "./admission-policy.ts";
import { CrdBundleError, readCrdBundle, type CrdBundle } from "./bundle.ts";
import { crdDifferences } from "./crd-differences.ts";
import { isExact, restoredCrd } from "./crd-facts.ts";
import { surveyCrds } from "./crd-survey.ts";
import { deadFields } from "./dead-fields.ts";
import { exportedObject } from "./exported-crds.ts";
import { judgePreUpgrade } from "./pre-upgrade.ts";

const group = "gateway.networking.k8s.io";

interface CrdFields {
  readonly version?: string;
  readonly channel?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly group?: string;
}

function crd(
  plural: string,
  { version = "v1.6.3", channel = "standard", fields = {}, group: of = group }: CrdFields = {},
) {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${plural}.${of}`,
      annotations: { [`${group}/bundle-version`]: version, [`${group}/channel`]: channel },
    },
    spec: {
      group: of,
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: fields } } },
          },
        },
      ],
    },
    status: { conditions: [{ type: "Established", status: "True" }] },
  } satisfies KubernetesObject;
}

const text = { type: "string" };
const safeUpgrades = { policy: crd("policy"), binding: crd("binding") };
const bundle: CrdBundle = {
  version: "v1.6.3",
  channels: {
    standard: { crds: [crd("gateways", { fields: { a: text } }), crd("httproutes")], safeUpgrades },
    experimental: {
      crds: [
        crd("gateways", { channel: "experimental", fields: { a: text, x: text } }),
        crd("httproutes", { channel: "experimental" }),
        crd("xmeshes", { channel: "experimental", group: "gateway.networking.x-k8s.io" }),
      ],
      safeUpgrades,
    },
  },
};
const [gateways, httproutes] = bundle.channels.standard.crds as [KubernetesObject, KubernetesObject];
const withConversion = {
  ...gateways,
  spec: { ...(gateways["spec"] as object), conversion: { strategy: "Webhook" } },
};

describe("isExact", () => {
  it("3.1.5: does not look at conversion, or at what others have annotated", () => {
    const annotated = {
      ...withConversion,
      metadata: { ...gateways.metadata, annotations: { ...gateways.metadata.annotations, mine: "1" } },
    };
    expect(isExact(gateways, annotated)).toBe(true);
  });

  it.each([
    ["another schema", crd("gateways", { fields: { a: text, b: text } })],
    ["another version", crd("gateways", { version: "v1.5.1", fields: { a: text } })],
    ["another channel", crd("gateways", { channel: "experimental", fields: { a: text } })],
  ])("3.6.5: %s is not exact", (_, found) => {
    expect(isExact(gateways, found)).toBe(false);
    expect(isExact(gateways, restoredCrd(gateways, found))).toBe(true);
  });

  it("keeps conversion when the rest is put right", () => {
    const found = { ...withConversion, metadata: { name: gateways.metadata.name, resourceVersion: "7" } };
    expect(restoredCrd(gateways, found)).toMatchObject({
      metadata: { resourceVersion: "7", annotations: gateways.metadata.annotations },
      spec: { conversion: { strategy: "Webhook" } },
    });
  });
});

describe("surveyCrds", () => {
  it("3.2.1, 3.2.4: tells what is missing, differs and does not belong; the experimental group is not counted", () => {
    const older = crd("gateways", { version: "v1.5.1" });
    const found = [
      older,
      crd("tests"),
      crd("xmeshes", { group: "gateway.networking.x-k8s.io" }),
      crd("others", { group: "example.com" }),
    ];
    expect(surveyCrds(bundle, "standard", found)).toMatchObject({
      missing: [httproutes],
      mismatching: [{ name: `gateways.${group}`, how: "is v1.5.1, standard channel", isExperimental: false }],
      unexpected: [`tests.${group}`],
      isAnyPresent: true,
      isServed: false,
    });
  });

  it("knows experimental ones where the standard channel is held", () => {
    const found = bundle.channels.experimental.crds;
    expect(
      surveyCrds(bundle, "standard", found).mismatching.map(({ isExperimental }) => isExperimental),
    ).toEqual([true, true]);
    expect(surveyCrds(bundle, "experimental", found)).toMatchObject({
      missing: [],
      mismatching: [],
      isServed: true,
    });
  });

  it("is not served while one is being deleted", () => {
    const going = {
      ...httproutes,
      metadata: { ...httproutes.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" },
    };
    expect(surveyCrds(bundle, "standard", [gateways, httproutes]).isServed).toBe(true);
    expect(surveyCrds(bundle, "standard", [gateways, going]).isServed).toBe(false);
  });
});

describe("judgePreUpgrade", () => {
  it.each<[string, KubernetesObject[], boolean, string[]]>([
    ["none", [], false, []],
    ["those of others", [crd("x", { group: "example.com" })], false, []],
    ["expected ones", [gateways, httproutes], true, []],
    ["expected ones, with a conversion", [withConversion], true, []],
    [
      "expected schema under another version",
      [crd("gateways", { version: "v1", fields: { a: text } })],
      true,
      [],
    ],
    ["another schema", [crd("gateways")], true, [`gateways.${group}`]],
    ["an unknown one", [gateways, crd("tests")], true, [`tests.${group}`]],
    [
      "one of the experimental group",
      [crd("xmeshes", { group: "gateway.networking.x-k8s.io" })],
      true,
      ["xmeshes.gateway.networking.x-k8s.io"],
    ],
  ])("3.4.1, 3.4.4, 3.7.1: %s", (_, found, needsConsent, incompatible) => {
    expect(judgePreUpgrade(bundle, "standard", found)).toEqual({ needsConsent, incompatible });
  });
});

describe("deadFields", () => {
  it("3.5.2: names fields that neither channel knows, and not what is below them", () => {
    const found = crd("gateways", {
      fields: {
        a: text,
        x: text,
        new: { type: "array", items: { type: "object", properties: { deep: text } } },
      },
    });
    expect(deadFields(bundle, [found])).toEqual([
      { crd: `gateways.${group}`, version: "v1", fields: ["spec.new"] },
    ]);
    expect(deadFields(bundle, [gateways])).toEqual([]);
  });

  it("takes names like __proto__ for names", () => {
    const fields = JSON.parse(
      '{"a":{"type":"string"},"__proto__":{"type":"string"},"constructor":{"type":"string"}}',
    ) as Record<string, unknown>;
    expect(deadFields(bundle, [crd("gateways", { fields })])).toEqual([
      { crd: `gateways.${group}`, version: "v1", fields: ["spec.__proto__", "spec.constructor"] },
    ]);
  });
});

describe("crdDifferences", () => {
  it("says what is there and what is not", () => {
    const found = [
      crd("gateways", { version: "v1.5.1", fields: { b: { type: "object", properties: { c: text } } } }),
    ];
    expect(crdDifferences(bundle, "standard", found)).toEqual([
      {
        crd: `gateways.${group}`,
        how: "is v1.5.1, standard channel",
        added: ["v1 spec.b"],
        absent: ["v1 spec.a"],
      },
      { crd: `httproutes.${group}`, how: "is missing", added: [], absent: [] },
    ]);
    expect(crdDifferences(bundle, "standard", [gateways, httproutes])).toEqual([]);
  });
});

describe("exportedObject", () => {
  it("3.4.7: has what can be applied again", () => {
    const found = { ...gateways, metadata: { ...gateways.metadata, uid: "1", resourceVersion: "2" } };
    const { status: _status, ...rest } = gateways;
    expect(exportedObject(found)).toEqual(rest);
  });
});

describe("crdProtection", () => {
  it("3.3.5: asks for a Pod's token only if we have one", () => {
    const rules = (isPodBound: boolean) =>
      (
        crdProtection({ policyName: "p", managedMessage: "m" }, { username: 'a"b', isPodBound }).policy[
          "spec"
        ] as { validations: { expression: string }[] }
      ).validations;
    expect(rules(true)).toHaveLength(2);
    expect(rules(false)).toMatchObject([{ expression: 'request.userInfo.username == "a\\"b"' }]);
  });
});

describe("readCrdBundle", () => {
  it("says how to build what is not there", () => {
    expect(() => readCrdBundle(new URL("file:///nowhere/bundle.json"))).toThrow(CrdBundleError);
    expect(() => readCrdBundle(new URL("file:///nowhere/bundle.json"))).toThrow(/npm run build/);
  });
});
