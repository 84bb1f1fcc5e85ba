import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { allFeatures } from "../model/index.ts";
import { parseResource, type Resource } from "../resources/index.ts";
import { memorySource, type Source, type WantedObject } from "../sources/index.ts";
import { createController, type Controller } from "./controller.ts";
import { dryDriver } from "./dry-driver.ts";
import { makeSelfSigned } from "./self-signed.ts";

function object(input: object): Resource {
  const parsed = parseResource(input, { defaultNamespace: "default" });
  if (!("resource" in parsed) || !parsed.resource) throw new Error(JSON.stringify(parsed));
  return parsed.resource;
}

const gateway = object({
  apiVersion: "gateway.networking.k8s.io/v1",
  kind: "Gateway",
  metadata: { name: "gw", namespace: "a", uid: "1" },
  spec: {
    gatewayClassName: "gatewright",
    listeners: [
      { name: "https", port: 443, protocol: "HTTPS", tls: { certificateRefs: [{ name: "cert" }] } },
    ],
  },
});

async function secret(): Promise<Resource> {
  const { certificate, privateKey: key } = await makeSelfSigned(["a.test"]);
  const data = { "tls.crt": btoa(certificate), "tls.key": btoa(key) };
  return object({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "cert", namespace: "a" },
    type: "kubernetes.io/tls",
    data,
  });
}

const driver = dryDriver({ name: "test", features: allFeatures });
let controller: Controller;
afterEach(() => controller.stop());

function conditionOf(type: string): string | undefined {
  const listeners = (controller.statusOf(gateway)?.["listeners"] ?? []) as {
    conditions: { type: string; status: string; reason: string }[];
  }[];
  const condition = listeners[0]?.conditions.find((one) => one.type === type);
  return condition && `${condition.status}/${condition.reason}`;
}

describe("a controller", () => {
  it("waits for the Secrets that it asked for before it says anything", async () => {
    const memory = memorySource([gateway]);
    const asked: WantedObject[] = [];
    const given = await secret();
    const source: Source = {
      ...memory,
      async want(added) {
        asked.push(...added);
        await pause(30);
        memory.set(given);
      },
    };
    const said: (string | undefined)[] = [];
    controller = createController({
      source,
      driver,
      statusGrace: 5,
      events: { statuses: () => said.push(conditionOf("ResolvedRefs")) },
    });
    await controller.start();
    expect(asked).toEqual([{ kind: "Secret", namespace: "a", name: "cert" }]);
    expect(said).toEqual(["True/ResolvedRefs"]);
    expect(controller.model.certificates.size).toBe(1);
  });

  it("goes on when a source fails to read what was asked for, and says what is missing", async () => {
    const faults: string[] = [];
    controller = createController({
      source: { ...memorySource([gateway]), want: () => Promise.reject(new Error("forbidden")) },
      driver,
      events: { fault: (where) => faults.push(where) },
    });
    await controller.start();
    expect(faults).toEqual(["source memory: references"]);
    expect(conditionOf("ResolvedRefs")).toBe("False/InvalidCertificateRef");
  });

  it("says of a Gateway what became of its fleet", async () => {
    controller = createController({
      source: memorySource([gateway, await secret()]),
      driver,
      settings: { infrastructure: true },
    });
    await controller.start();
    expect([...controller.fleets.keys()]).toEqual(["a/gw"]);
    const programmed = () =>
      ((controller.statusOf(gateway)?.["conditions"] ?? []) as { type: string; reason: string }[]).find(
        ({ type }) => type === "Programmed",
      )?.reason;
    expect(programmed()).not.toBe("Programmed");
    controller.reportFleet("a/gw", { addresses: [{ type: "IPAddress", value: "192.0.2.1" }] });
    await controller.settled();
    expect(programmed()).toBe("Programmed");
    expect(controller.statusOf(gateway)?.["addresses"]).toEqual([{ type: "IPAddress", value: "192.0.2.1" }]);
  });
});
