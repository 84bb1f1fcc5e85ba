/** A hosted control plane: the operator runs in one cluster and looks after another. Two API servers, neither of which knows the other's objects. */
import { afterAll, describe, expect, it, type TestContext } from "vitest";
import { clusterController, type ClusterController } from "../../src/controller/index.ts";
import { kubernetesClient, loadCredentials } from "../../src/kubernetes/index.ts";
import { customResourceDefinition, platformKind } from "../../src/resources/index.ts";
import { startGuestCluster, type GuestCluster } from "../operator/guest-cluster.mjs";
import {
  bindingType,
  crdsIn,
  crdType,
  namesOf,
  pinnedBundle,
  policyType,
  roleType,
} from "../operator/platform.ts";
import { until, useLab } from "./lab.ts";

const useIt = useLab({});
const { standard } = pinnedBundle().channels;
let guest: GuestCluster | undefined;
let controller: ClusterController | undefined;
afterAll(async () => {
  await controller?.stop();
  await guest?.stop();
});

const loadClient = async (kubeconfig: string) =>
  kubernetesClient({
    credentials: await loadCredentials({ kubeconfig }),
    userAgent: "test",
    fieldManager: "lab",
  });

async function begin(context: TestContext) {
  const lab = await useIt(context);
  guest ??= await startGuestCluster({ folder: lab.folder, kubeconfig: lab.kubeconfig, loadClient });
  return { lab, guest };
}

describe("a hosted control plane", () => {
  it("3.1.8, 3.3.5: the guest's CRDs are managed, by an account that is bound to no Pod; the Lease and our Secret are at home", async (context) => {
    const { lab, guest: there } = await begin(context);
    await lab.kubectl("create", "namespace", "gatewright-system");
    await there.client.create(crdType, customResourceDefinition(platformKind) as never);
    const faults: string[] = [];
    let isLeader = false;
    controller = clusterController({
      kubeconfig: lab.kubeconfig,
      namespace: "gatewright-system",
      controllerNames: ["gatewright.dev/gateway-controller"],
      driver: "embedded",
      channel: { listen: { address: "127.0.0.1", port: 0 }, host: "gatewright.example.com:18000" },
      images: { envoy: "envoy", gatewright: "gatewright" },
      electsLeader: true,
      allowExternalNames: false,
      version: "0.0.0-test",
      operator: {
        profile: "kubernetes",
        compat: "proposal",
        bundle: pinnedBundle(),
        guestKubeconfig: there.kubeconfig,
      },
      events: {
        led: (leads) => (isLeader = leads),
        fault: (where, error) => faults.push(`${where}: ${String(error)}`),
      },
    });
    await controller.start();
    await until("we lead", () => isLeader);
    await until("the guest's CRDs", async () => (await crdsIn(there.client)).length === 10);
    expect(namesOf(await crdsIn(there.client))).toEqual(namesOf(standard.crds));
    expect(await crdsIn(lab.client)).toEqual([]);
    const policy = await until("the policy", () =>
      there.client.get(policyType, "gatewright-gateway-api-crds"),
    );
    expect((policy["spec"] as { validations: object[] }).validations).toHaveLength(1);
    expect(await lab.client.get(bindingType, "gatewright-gateway-api-crds")).toBeUndefined();
    await until("the roles", () => there.client.get(roleType, "gatewright:gateway-api:aggregate-to-view"));
    await until("Platform", async () => {
      const status = (await there.client.get({ ...platformKind }, "cluster"))?.["status"];
      return JSON.stringify(status ?? {}).includes('"reason":"AsExpected"');
    });
    expect(await lab.kubectl("get", "lease", "-n", "gatewright-system", "-o", "name")).toContain(
      "gatewright-controller",
    );
    expect(await lab.kubectl("get", "secret", "-n", "gatewright-system", "-o", "name")).toContain(
      "authority",
    );
    expect(faults).toEqual([]);
  });

  it("1.1.6: the guest's classes are served once its CRDs are there", async (context) => {
    const { guest: there } = await begin(context);
    const classes = {
      group: "gateway.networking.k8s.io",
      version: "v1",
      plural: "gatewayclasses",
      kind: "GatewayClass",
      namespaced: false,
    };
    await until("the class", () =>
      there.client.apply(classes, {
        apiVersion: "gateway.networking.k8s.io/v1",
        kind: "GatewayClass",
        metadata: { name: "gatewright" },
        spec: { controllerName: "gatewright.dev/gateway-controller" },
      }),
    );
    const accepted = await until("it is accepted", async () => {
      const status = JSON.stringify((await there.client.get(classes, "gatewright"))?.["status"] ?? {});
      return status.includes('"type":"Accepted"') && status.includes('"status":"True"') ? status : undefined;
    });
    expect(accepted).toContain("Accepted");
  });
});
