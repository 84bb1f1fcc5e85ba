/** The CRDs of the Gateway API in the operator's hands, on a real API server. Numbers are those of the behaviours that are shown. */
import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../../src/kubernetes/index.ts";
import { useOperator } from "../operator/operator-lab.ts";
import {
  askPlatform,
  bindingType,
  clientAs,
  clientOf,
  crdsIn,
  crdType,
  fakeCrd,
  kubernetesAccount,
  namesOf,
  pinnedBundle,
  platformIs,
  platformStatus,
  policyType,
  refusal,
  roleType,
  specsOf,
  wipe,
} from "../operator/platform.ts";
import { until, type Lab } from "./lab.ts";

const { begin, run } = useOperator();
const viewRole = "gatewright:gateway-api:aggregate-to-view";
const policyName = "gatewright-gateway-api-crds";

const crds = (lab: Lab) => crdsIn(lab.client);
const { standard, experimental } = pinnedBundle().channels;

describe("CRDs", () => {
  it("0.10, 3.1.1, 3.1.4, 1.12.6 row 5: that are absent are created, at the pinned version of the standard channel", async (context) => {
    const { lab, client } = await begin(context);
    const operator = run(client);
    await operator.served;
    await platformIs(
      lab,
      "Available=True/AsExpected",
      "Progressing=False/AsExpected",
      "Degraded=False/AsExpected",
    );
    const found = await crds(lab);
    expect(namesOf(found)).toEqual(namesOf(standard.crds));
    expect(found).toHaveLength(10);
    expect(specsOf(found)).toEqual(specsOf(standard.crds));
    for (const { metadata } of found) {
      expect(metadata.annotations).toMatchObject({
        "gateway.networking.k8s.io/bundle-version": "v1.6.3",
        "gateway.networking.k8s.io/channel": "standard",
      });
    }
    await platformIs(
      lab,
      "Upgradeable=True/Upgradeable",
      "GatewayAPICRDsManaged=True/ManagedByIngressOperator",
    );
    expect((await platformStatus(lab)).versions).toContainEqual({ name: "gateway-api", version: "v1.6.3" });
  });

  it("what is as it should be is not written again", async (context) => {
    const { client } = await begin(context);
    const operator = run(client);
    await operator.served;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(operator.written).toEqual([]);
    expect(operator.troubles).toEqual([]);
  });

  it("3.1.2, 3.7.2: that are deleted are installed again", async (context) => {
    const { lab, client } = await begin(context);
    const operator = run(client);
    await operator.served;
    // Past the policy, as whoever removes it can.
    await lab.client.delete(bindingType, policyName);
    await client.delete(crdType, "httproutes.gateway.networking.k8s.io");
    await client.delete(crdType, "gateways.gateway.networking.k8s.io");
    await until("all again", async () => {
      const found = await crds(lab);
      return found.length === 10 && found.every(({ metadata }) => !metadata.deletionTimestamp);
    });
    expect(specsOf(await crds(lab))).toEqual(specsOf(standard.crds));
    await platformIs(lab, "Available=True/AsExpected", "Degraded=False/AsExpected");
    const described = () => lab.kubectl("describe", "platform", "cluster");
    await until("an event", async () =>
      (await described()).includes("CustomResourceDefinition httproutes.gateway.networking.k8s.io created"),
    );
  });

  it("3.1.3, 3.1.5, 3.1.7: with another schema are put right; what others have written on them stays", async (context) => {
    const { lab, client } = await begin(context);
    const operator = run(client);
    await operator.served;
    const name = "grpcroutes.gateway.networking.k8s.io";
    const found = (await client.get(crdType, name)) as KubernetesObject;
    const spec = structuredClone(found["spec"]) as {
      conversion: unknown;
      versions: {
        schema: { openAPIV3Schema: { properties: { spec: { properties: Record<string, unknown> } } } };
      }[];
    };
    const first = spec.versions[0];
    if (first) first.schema.openAPIV3Schema.properties.spec.properties["extra"] = { type: "string" };
    spec.conversion = {
      strategy: "Webhook",
      webhook: {
        conversionReviewVersions: ["v1"],
        clientConfig: { url: "https://example.com/convert" },
      },
    };
    await client.replace(crdType, {
      ...found,
      metadata: {
        ...found.metadata,
        annotations: {
          ...found.metadata.annotations,
          "gateway.networking.k8s.io/bundle-version": "v9",
          "example.com/note": "mine",
        },
        labels: { "example.com/team": "edge" },
      },
      spec,
    });
    const now = await until("the pinned schema", async () => {
      const [crd] = (await crds(lab)).filter(({ metadata }) => metadata.name === name);
      const isRight = crd?.metadata.annotations?.["gateway.networking.k8s.io/bundle-version"] === "v1.6.3";
      return isRight ? crd : undefined;
    });
    const expected = standard.crds.filter(({ metadata }) => metadata.name === name);
    expect(specsOf([now as KubernetesObject])).toEqual(specsOf(expected));
    expect(now).toMatchObject({
      metadata: { annotations: { "example.com/note": "mine" }, labels: { "example.com/team": "edge" } },
      spec: { conversion: { strategy: "Webhook" } },
    });
  });

  it("3.1.6, 3.2.5, 3.7.3: one that cannot be put right is told of, and the others are put right all the same", async (context) => {
    const { lab, client } = await begin(context);
    await wipe(lab, policyName);
    const foreign = structuredClone(
      standard.crds.find(({ metadata }) => metadata.name.startsWith("listenersets.")),
    ) as KubernetesObject & { spec: { scope: string } };
    // The scope of a CRD can never be changed.
    foreign.spec.scope = "Cluster";
    await lab.client.create(crdType, foreign);
    run(client);
    await platformIs(lab, "Degraded=True/GatewayAPICRDsDegraded", "Progressing=True/ApplyingCRDs");
    const degraded = (await platformStatus(lab)).conditions.find(({ type }) => type === "Degraded");
    expect(degraded?.message).toContain("CustomResourceDefinition listenersets.gateway.networking.k8s.io");
    const others = (await crds(lab)).filter(({ metadata }) => !metadata.name.startsWith("listenersets."));
    const wanted = standard.crds.filter(({ metadata }) => !metadata.name.startsWith("listenersets."));
    expect(specsOf(others)).toEqual(specsOf(wanted));
    await client.delete(crdType, foreign.metadata.name);
    await platformIs(lab, "Degraded=False/AsExpected", "Available=True/AsExpected");
  });

  it("3.2.1, 3.2.3: that do not belong to the expected set are named", async (context) => {
    const { lab, client } = await begin(context);
    const operator = run(client);
    await operator.served;
    await client.create(crdType, fakeCrd("tests", "gateway.networking.k8s.io"));
    await platformIs(lab, "Degraded=True/GatewayAPICRDsDegraded");
    expect((await platformStatus(lab)).unmanagedCRDs).toEqual(["tests.gateway.networking.k8s.io"]);
    await client.delete(crdType, "tests.gateway.networking.k8s.io");
    await platformIs(lab, "Degraded=False/AsExpected");
    expect((await platformStatus(lab)).unmanagedCRDs).toBeUndefined();
  });

  it("3.2.4: of the experimental group are nobody's business where the standard channel is held", async (context) => {
    const { lab, client } = await begin(context);
    const operator = run(client);
    await operator.served;
    const [mesh] = experimental.crds.filter(({ metadata }) => metadata.name.startsWith("xmeshes."));
    await lab.client.create(crdType, mesh as KubernetesObject);
    await until("it has been seen", async () => (await crds(lab)).length === 11);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await platformIs(lab, "Degraded=False/AsExpected");
    expect((await platformStatus(lab)).unmanagedCRDs).toBeUndefined();
    await lab.client.delete(crdType, "xmeshes.gateway.networking.x-k8s.io");
  });

  it("3.7.4: of the experimental channel over the standard one are told of, and put right", async (context) => {
    const { lab, client } = await begin(context);
    await wipe(lab, policyName);
    for (const crd of experimental.crds) await lab.client.create(crdType, crd);
    const seen: string[] = [];
    run(client);
    await until("the standard channel", async () => {
      const { conditions } = await platformStatus(lab);
      seen.push(...conditions.filter(({ type }) => type === "Degraded").map(({ message }) => message));
      return (await crds(lab))
        .filter(({ metadata }) => metadata.name.endsWith(".gateway.networking.k8s.io"))
        .every(({ metadata }) => metadata.annotations?.["gateway.networking.k8s.io/channel"] === "standard");
    });
    await platformIs(lab, "Degraded=False/AsExpected", "GatewayAPICRDsCompliant=True/VersionMatch");
    expect(seen.some((message) => message.includes("httproutes.gateway.networking.k8s.io"))).toBe(true);
  });

  it("of the experimental channel are held when that is asked for, all 13", async (context) => {
    const { lab, client } = await begin(context);
    await wipe(lab, policyName);
    const operator = run(client);
    await operator.served;
    await platformIs(lab, "GatewayAPICRDsCompliant=True/VersionMatch");
    await askPlatform(lab, { crds: { channel: "experimental" } });
    await until("the experimental channel", async () => {
      const found = await crds(lab);
      return (
        found.length === 13 &&
        found.every(
          ({ metadata }) => metadata.annotations?.["gateway.networking.k8s.io/channel"] === "experimental",
        )
      );
    });
    expect(specsOf(await crds(lab))).toEqual(specsOf(experimental.crds));
    await platformIs(lab, "Degraded=False/AsExpected", "GatewayAPICRDsCompliant=True/VersionMatch");
    await askPlatform(lab, { crds: { channel: null } });
    await platformIs(lab, "GatewayAPICRDsCompliant=True/VersionMatch", "Progressing=False/AsExpected");
  });
});

describe("an API server", () => {
  it("that was gone finds everything looked after when it is back", async (context) => {
    const { lab, client } = await begin(context);
    const operator = run(client);
    await operator.served;
    await platformIs(lab, "Available=True/AsExpected", "Progressing=False/AsExpected");
    await lab.faults.killApiServer();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await lab.faults.startApiServer();
    await until("the role is gone", () =>
      lab.client.delete(roleType, viewRole).then(
        () => true,
        () => false,
      ),
    );
    await until("the role", () => lab.client.get(roleType, viewRole).catch(() => undefined), { seconds: 60 });
    // An API server that has just started may not know yet who may do what.
    const name = "udproutes.gateway.networking.k8s.io";
    const before = (await lab.client.get(crdType, name))?.metadata.uid;
    await until("the CRD is gone", () =>
      client.delete(crdType, name).then(
        () => true,
        () => false,
      ),
    );
    await until(
      "the CRD",
      async () => {
        const { uid } = (await lab.client.get(crdType, name).catch(() => undefined))?.metadata ?? {};
        return uid !== undefined && uid !== before;
      },
      { seconds: 60 },
    );
    await platformIs(
      lab,
      "Available=True/AsExpected",
      "Degraded=False/AsExpected",
      "Progressing=False/AsExpected",
    );
    expect(specsOf(await crds(lab))).toMatchObject(specsOf(standard.crds));
  });
});

describe("the admission policy", () => {
  const message =
    "The CRDs of the Gateway API are managed by Gatewright and may not be modified; see spec.crds of Platform cluster";
  const claims =
    'this user must have both "authentication.kubernetes.io/node-name" and "authentication.kubernetes.io/pod-name" claims';
  const username = `system:serviceaccount:${kubernetesAccount.namespace}:${kubernetesAccount.name}`;

  it("3.3.2, 3.3.3: is as it is written down, and is put right when it was changed or removed", async (context) => {
    const { lab, client } = await begin(context);
    const operator = run(client);
    await operator.served;
    const policy = await until("the policy", () => lab.client.get(policyType, policyName));
    expect(policy).toMatchObject({
      spec: {
        failurePolicy: "Fail",
        matchConstraints: {
          resourceRules: [
            {
              apiGroups: ["apiextensions.k8s.io"],
              apiVersions: ["v1"],
              operations: ["CREATE", "UPDATE", "DELETE"],
              resources: ["customresourcedefinitions"],
            },
          ],
        },
        validations: [
          { expression: `request.userInfo.username == "${username}"`, message, reason: "Forbidden" },
          { message: claims, reason: "Forbidden" },
        ],
      },
    });
    const binding = () => lab.client.get(bindingType, policyName);
    await lab.client.patch(bindingType, policyName, undefined, { spec: { validationActions: ["Audit"] } });
    await until("Deny again", async () =>
      JSON.stringify((await binding())?.["spec"]).includes('"validationActions":["Deny"]'),
    );
    await lab.client.patch(policyType, policyName, undefined, {
      spec: { validations: [{ expression: "true" }] },
    });
    await lab.client.delete(bindingType, policyName);
    await until("both again", async () => {
      const now = await lab.client.get(policyType, policyName);
      return (await binding()) && JSON.stringify(now?.["spec"]).includes("userInfo.username");
    });
  });

  it("3.3.1, 3.3.4 to 3.3.7, 3.7.5: refuses everybody else, whatever they are and want", async (context) => {
    const { lab, client } = await begin(context);
    const operator = run(client);
    await operator.served;
    const unbound = await clientOf(lab, kubernetesAccount, { bound: false });
    const impersonated = await clientAs(lab, { as: username, "as-groups": ["system:masters"] });
    const callers = [
      ["cluster-admin", lab.client, message],
      ["an impersonated account", impersonated, claims],
      ["a token without a Pod", unbound, claims],
    ] as const;
    const fake = fakeCrd("tests", "gateway.networking.k8s.io");
    // A policy takes effect some moments after it was written.
    await until("the policy's effect", async () =>
      (await refusal(lab.client.create(crdType, fake))).includes(message)
        ? true
        : client.delete(crdType, fake.metadata.name).then(() => false),
    );
    for (const [who, caller, why] of callers) {
      const answers = new Map<string, string>();
      answers.set("create tests", await refusal(caller.create(crdType, fake)));
      for (const { name } of standard.crds.map(({ metadata }) => metadata)) {
        const labelled = { metadata: { labels: { "example.com/x": "1" } } };
        answers.set(`update ${name}`, await refusal(caller.patch(crdType, name, undefined, labelled)));
        answers.set(`delete ${name}`, await refusal(caller.delete(crdType, name)));
      }
      expect(answers.size).toBe(21);
      for (const [what, answer] of answers) expect(`${who} ${what}: ${answer}`).toContain(why);
    }
    // Nobody else is kept from anything.
    for (const group of ["gateway.networking.x-k8s.io", "example.com"]) {
      expect(await refusal(lab.client.create(crdType, fakeCrd("tests", group)))).toBe("allowed");
      expect(await refusal(lab.client.delete(crdType, `tests.${group}`))).toBe("allowed");
    }
    // The operator's own Pod is.
    expect(await refusal(client.create(crdType, fake))).toBe("allowed");
    expect(await refusal(client.delete(crdType, fake.metadata.name))).toBe("allowed");
    expect(namesOf(await crds(lab))).toEqual(expect.arrayContaining([...namesOf(standard.crds)]));
    await Promise.all([unbound.close(), impersonated.close()]);
  });

  it("3.3.8: the Gateway API's own is there too, and is no obstacle", async (context) => {
    const { lab, client } = await begin(context);
    const operator = run(client);
    await operator.served;
    const name = "safe-upgrades.gateway.networking.k8s.io";
    await until(
      "it",
      async () => (await lab.client.get(policyType, name)) && lab.client.get(bindingType, name),
    );
    const older = { metadata: { annotations: { "gateway.networking.k8s.io/bundle-version": "v1.5.1" } } };
    const answer = await until("its effect", async () => {
      const said = await refusal(
        client.patch(crdType, "gateways.gateway.networking.k8s.io", undefined, older),
      );
      return said !== "allowed" && said;
    });
    expect(answer).toContain("safe-upgrades.gateway.networking.k8s.io");
    await platformIs(lab, "Degraded=False/AsExpected", "Available=True/AsExpected");
  });

  it.for(["dev-preview", "tech-preview"] as const)(
    "is not there in a %s, 1.1.4",
    async (maturity, context) => {
      const { lab, client } = await begin(context);
      await wipe(lab, policyName);
      const operator = run(client, { maturity });
      await platformIs(lab, "Available=False/FeatureGateDisabled", "Upgradeable=True/Upgradeable");
      expect(await crds(lab)).toEqual([]);
      await askPlatform(lab, { featureGates: { GatewayAPI: true } });
      await operator.served;
      await platformIs(lab, "Available=True/AsExpected", "Upgradeable=False/FeatureGateInPreview");
      expect(await lab.client.get(policyType, policyName)).toBeUndefined();
    },
  );
});
