import { describe, expect, it, onTestFinished } from "vitest";
import { Refusal, until } from "../../test/kubernetes/api-server.ts";
import { events } from "../../test/kubernetes/resource-types.ts";
import { clientOf, startServer } from "../../test/kubernetes/start.ts";
import type { KubernetesError } from "./error.ts";
import { eventRecorder, type EventRecorderOptions, type RecordedEvent } from "./event-recorder.ts";

const event = (name: string, more: Partial<RecordedEvent> = {}): RecordedEvent => ({
  object: {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "HTTPRoute",
    name,
    namespace: "shop",
    uid: "u",
  },
  type: "Warning",
  reason: "RefNotPermitted",
  message: "backendRefs[0]: no grant",
  ...more,
});

async function start(options: Partial<EventRecorderOptions> = {}) {
  const server = await startServer([events]);
  const recorder = eventRecorder(clientOf(server), {
    component: "gatewright.dev/gateway-controller",
    ...options,
  });
  onTestFinished(() => recorder.stop());
  const stored = () => [...server.store(events).objects.values()];
  return { server, recorder, stored };
}

describe("eventRecorder", () => {
  it("writes an event beside its object", async () => {
    const { recorder, stored } = await start({ instance: "gatewright-0" });
    recorder.record(event("cart"));
    await until(() => stored().length === 1);
    expect(stored()[0]).toMatchObject({
      apiVersion: "events.k8s.io/v1",
      metadata: { namespace: "shop", name: expect.stringMatching(/^cart\.[0-9a-f]+$/) as string },
      regarding: { kind: "HTTPRoute", name: "cart", namespace: "shop", uid: "u" },
      reportingController: "gatewright.dev/gateway-controller",
      reportingInstance: "gatewright-0",
      reason: "RefNotPermitted",
      note: "backendRefs[0]: no grant",
      action: "Reconcile",
      type: "Warning",
    });
  });

  it("takes a controller's name with more than one slash", async () => {
    const { recorder, stored } = await start({ component: "openshift.io/gateway-controller/v1" });
    recorder.record(event("cart"));
    await until(() => stored().length === 1);
    expect(stored()[0]).toMatchObject({ reportingController: "openshift.io/gateway-controller-v1" });
  });

  it("puts those of cluster-scoped objects into default, and shortens what is too long", async () => {
    const { recorder, stored } = await start();
    const object = { apiVersion: "v1", kind: "GatewayClass", name: "x".repeat(253) };
    recorder.record(event("", { object, message: "m".repeat(5_000) }));
    await until(() => stored().length === 1);
    const [written] = stored();
    expect(written?.metadata.namespace).toBe("default");
    expect(written?.metadata.name.length).toBeLessThanOrEqual(253);
    expect(written?.["note"]).toHaveLength(1_024);
  });

  it("counts what is said again", async () => {
    const { server, recorder, stored } = await start();
    recorder.record(event("cart"));
    recorder.record(event("cart"));
    await until(() => stored().length === 1);
    recorder.record(event("cart"));
    await until(() => JSON.stringify(stored()[0]?.["series"] ?? {}).includes('"count":3'));
    expect(stored()).toHaveLength(1);
    for (const key of server.store(events).objects.keys()) server.store(events).delete(key);
    recorder.record(event("cart"));
    await until(() => stored().length === 1);
  });

  it("under a flood leaves out and counts, and does not flood the server", async () => {
    const { server, recorder } = await start({ perSecond: 1, burst: 10 });
    for (let i = 0; i < 5_000; i++) recorder.record(event(`r${i}`));
    for (let i = 0; i < 100; i++) recorder.record(event("same", { message: `m${i}` }));
    await until(() => server.requests.length >= 10);
    expect(recorder.dropped).toBe(4_100);
    expect(server.requests.length).toBeLessThanOrEqual(11);
  });

  it("one object cannot crowd out the others", async () => {
    const { recorder } = await start({ burstPerObject: 5 });
    for (let i = 0; i < 50; i++) recorder.record(event("noisy", { message: `m${i}` }));
    recorder.record(event("quiet"));
    expect(recorder.dropped).toBe(45);
  });

  it("says once why it cannot, and nobody else notices", async () => {
    const troubles: KubernetesError[] = [];
    const { server, recorder } = await start({ trouble: (error) => troubles.push(error) });
    server.intercept = () => {
      throw new Refusal(403, "Forbidden");
    };
    recorder.record(event("a"));
    recorder.record(event("b"));
    await until(() => recorder.dropped === 2);
    expect(troubles).toHaveLength(1);
    expect(troubles[0]?.isForbidden).toBe(true);
  });

  it("what is recorded at the moment that all others are written does not wait for another", async () => {
    const answers = [true, false];
    const { recorder, stored } = await start({
      canWrite: () => {
        const isAllowed = answers.shift() ?? true;
        if (!isAllowed) queueMicrotask(() => recorder.record(event("late")));
        return isAllowed;
      },
    });
    recorder.record(event("first"));
    await until(() => stored().length === 1);
    expect(stored()).toMatchObject([{ regarding: { name: "late" } }]);
  });

  it("stops while the server does not answer", async () => {
    const troubles: KubernetesError[] = [];
    const { server, recorder } = await start({ trouble: (error) => troubles.push(error) });
    server.intercept = () => true;
    recorder.record(event("a"));
    recorder.record(event("b"));
    await until(() => server.requests.length === 1);
    const begun = performance.now();
    await recorder.stop();
    expect(performance.now() - begun).toBeLessThan(3_000);
    expect(troubles).toEqual([]);
  });

  it("writes nothing unless it may", async () => {
    const { server, recorder } = await start({ canWrite: () => false });
    recorder.record(event("a"));
    await recorder.stop();
    expect(server.requests).toEqual([]);
  });
});
