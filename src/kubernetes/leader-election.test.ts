import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { Refusal, until, type ApiServer } from "../../test/kubernetes/api-server.ts";
import { leases } from "../../test/kubernetes/resource-types.ts";
import { clientOf, startServer } from "../../test/kubernetes/start.ts";
import { leaderElection, type LeaderElectionOptions } from "./leader-election.ts";
import type { LeaseSpec } from "./lease.ts";
import type { KubernetesObject } from "./object.ts";

const quick = { leaseDuration: 1_000, renewDeadline: 400, retryPeriod: 50 };

function candidate(
  server: ApiServer,
  identity: string,
  log: string[],
  options: Partial<LeaderElectionOptions> = {},
) {
  const client = clientOf(server);
  const election = leaderElection(
    client,
    { namespace: "gatewright", name: "leader", identity, ...quick, ...options },
    {
      started: () => log.push(`${identity} started`),
      stopped: () => log.push(`${identity} stopped`),
      trouble: (error) => log.push(`${identity} ${error ? "troubled" : "well"}`),
    },
  );
  onTestFinished(() => election.stop());
  return election;
}

const specIn = (server: ApiServer): LeaseSpec =>
  (server.store(leases).get("gatewright/leader") as unknown as { spec: LeaseSpec }).spec;

describe("leaderElection", () => {
  it("one of two leads, and hands over when it stops", async () => {
    const server = await startServer([leases]);
    const log: string[] = [];
    // So long that nobody could take an end of the Lease for the hand-over, however busy the machine.
    const lease = { leaseDuration: 15_000, renewDeadline: 8_000 };
    const a = candidate(server, "a", log, lease);
    await until(() => a.isLeader);
    const b = candidate(server, "b", log, lease);
    await sleep(300);
    expect(log).toEqual(["a started"]);
    expect(b.isLeader).toBe(false);
    expect(b.holder).toBe("a");
    expect(specIn(server)).toMatchObject({
      holderIdentity: "a",
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
    });
    expect(specIn(server).renewTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    const stoppedAt = performance.now();
    await a.stop();
    await until(() => b.isLeader);
    expect(performance.now() - stoppedAt).toBeLessThan(lease.leaseDuration);
    expect(log).toEqual(["a started", "a stopped", "b started"]);
    expect(specIn(server)).toMatchObject({ holderIdentity: "b", leaseTransitions: 2 - 1 });
  });

  it("hands over also if a renewal was under way that the server took", async () => {
    const server = await startServer([leases]);
    const a = candidate(server, "a", [], { leaseDuration: 15_000, renewDeadline: 8_000 });
    await until(() => a.isLeader);
    let wasTaken = false;
    server.intercept = ({ method, body }) => {
      if (method !== "PUT" || wasTaken) return false;
      wasTaken = true;
      server.store(leases).update(body as KubernetesObject, false);
      // It is never told.
      return true;
    };
    await until(() => wasTaken);
    await a.stop();
    expect(specIn(server).holderIdentity).toBe("");
  });

  it("tells of the leader what it wants to be known", async () => {
    const server = await startServer([leases]);
    const a = candidate(server, "a", [], { annotations: { "example.com/at": "10.0.0.1" } });
    await until(() => a.isLeader);
    const b = candidate(server, "b", [], { annotations: { "example.com/at": "10.0.0.2" } });
    await until(() => b.holderAnnotation("example.com/at") === "10.0.0.1");
    await a.stop();
    await until(() => b.isLeader);
    expect(b.holderAnnotation("example.com/at")).toBe("10.0.0.2");
  });

  it("takes over from one that died, after its Lease has run out by our own clock", async () => {
    const server = await startServer([leases]);
    // A clock that is years ahead.
    server.create(leases, {
      metadata: { name: "leader", namespace: "gatewright" },
      spec: {
        holderIdentity: "dead",
        leaseDurationSeconds: 1,
        renewTime: "2999-01-01T00:00:00.000000Z",
        leaseTransitions: 4,
      },
    });
    const begun = performance.now();
    const log: string[] = [];
    const b = candidate(server, "b", log);
    await until(() => b.isLeader);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(1_000);
    expect(specIn(server)).toMatchObject({ holderIdentity: "b", leaseTransitions: 5 });
  });

  it("does not take over from one that renews, whatever its clock says", async () => {
    const server = await startServer([leases]);
    const spec = {
      holderIdentity: "slow-clock",
      leaseDurationSeconds: 1,
      renewTime: "2001-01-01T00:00:00.000000Z",
    };
    let lease = server.create(leases, { metadata: { name: "leader", namespace: "gatewright" }, spec });
    const renewals = setInterval(() => {
      lease = server.store(leases).update({ ...lease, spec: { ...spec, leaseTransitions: 0 } }, false);
    }, 100);
    onTestFinished(() => clearInterval(renewals));
    const log: string[] = [];
    const b = candidate(server, "b", log);
    await sleep(1_500);
    expect(b.isLeader).toBe(false);
    expect(log).toEqual([]);
  });

  it("stops leading in time when it cannot renew, and leads again afterwards", async () => {
    const server = await startServer([leases]);
    const log: string[] = [];
    // Deadline and end of the Lease far enough apart to be told from one another on a busy machine.
    const times = { leaseDuration: 6_000, renewDeadline: 2_000 };
    const a = candidate(server, "a", log, times);
    await until(() => a.isLeader);
    server.intercept = () => true;
    const begun = performance.now();
    await until(() => !a.isLeader);
    expect(performance.now() - begun).toBeLessThan(times.renewDeadline + 1_000);
    await until(() => log.includes("a troubled") && log.includes("a stopped"));
    server.intercept = undefined;
    await until(() => a.isLeader);
    expect(log.at(-1)).toBe("a started");
    expect(log).toContain("a well");
  });

  it("outlives a short absence of the server as leader", async () => {
    const server = await startServer([leases]);
    const log: string[] = [];
    const a = candidate(server, "a", log, { leaseDuration: 4_000, renewDeadline: 3_000 });
    await until(() => a.isLeader);
    await server.stop();
    await sleep(300);
    await server.listen();
    await until(() => log.includes("a well"));
    expect(a.isLeader).toBe(true);
    expect(log).not.toContain("a stopped");
  });

  it("gives up at once when another has the Lease", async () => {
    const server = await startServer([leases]);
    const log: string[] = [];
    const a = candidate(server, "a", log);
    await until(() => a.isLeader);
    const lease = server.store(leases).get("gatewright/leader");
    const { resourceVersion: _version, ...metadata } = lease.metadata;
    server
      .store(leases)
      .update({ ...lease, metadata, spec: { holderIdentity: "usurper", leaseDurationSeconds: 60 } }, false);
    await until(() => log.includes("a stopped"));
    expect(a.holder).toBe("usurper");
    await a.stop();
    expect(specIn(server).holderIdentity).toBe("usurper");
  });

  it("never has two leaders, however the server behaves", async () => {
    const server = await startServer([leases]);
    const log: string[] = [];
    const all = ["a", "b", "c"].map((identity) => candidate(server, identity, log));
    let most = 0;
    const look = setInterval(() => {
      most = Math.max(most, all.filter(({ isLeader }) => isLeader).length);
    }, 1);
    onTestFinished(() => clearInterval(look));
    const end = performance.now() + 3_000;
    while (performance.now() < end) {
      server.intercept = async () => {
        const chance = Math.random();
        if (chance < 0.2) throw new Refusal(500, "InternalError");
        if (chance < 0.4) await sleep(Math.random() * 300);
        return chance > 0.4 && chance < 0.45;
      };
      await sleep(200);
    }
    server.intercept = undefined;
    expect(most).toBe(1);
    await until(() => all.some(({ isLeader }) => isLeader));
  });

  it("leads however many requests wait for their turn", async () => {
    const server = await startServer([leases]);
    const client = clientOf(server, { mostRequests: 1 });
    server.intercept = ({ path }) => !path.endsWith("/leases") && !path.endsWith("/leader");
    const waiting = Array.from({ length: 5 }, (_, i) => client.get(leases, `slow-${i}`, "gatewright"));
    const log: string[] = [];
    const handler = { started: () => log.push("started"), stopped: () => log.push("stopped") };
    const options = { namespace: "gatewright", name: "leader", identity: "a", ...quick };
    const election = leaderElection(client, options, handler);
    onTestFinished(() => election.stop());
    await until(() => election.isLeader);
    await sleep(quick.renewDeadline * 2);
    expect(log).toEqual(["started"]);
    await election.stop();
    await client.close();
    expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(
      Array(5).fill("rejected"),
    );
  });

  it("refuses times that cannot be safe", async () => {
    const server = await startServer([leases]);
    expect(() => candidate(server, "a", [], { renewDeadline: 2_000 })).toThrow(RangeError);
  });
});
