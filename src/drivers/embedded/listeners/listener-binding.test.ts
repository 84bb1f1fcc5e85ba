import net from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { Listener } from "../../../model/index.ts";
import type { EmbeddedBindRules } from "./wanted-sockets.ts";
import { ListenerBinding } from "./listener-binding.ts";
import { openTcp, openUdp, type OpenSocket, type SocketTarget } from "./open-socket.ts";
import { PortClaims } from "./port-claims.ts";

const listener = (port: number, change: Partial<Listener> = {}): Listener => ({
  key: `shop/web/tcp/${port}`,
  gateway: "shop/web",
  port,
  transport: "tcp",
  protocol: "tcp",
  addresses: [],
  ...change,
});

/** A machine in memory: which ports strangers hold, and which need privileges. */
class Machine {
  readonly taken = new Set<string>();
  readonly notices: string[] = [];
  readonly claims = new PortClaims();
  privileged = true;

  binding(of: Listener, rules: EmbeddedBindRules = {}): ListenerBinding {
    return new ListenerBinding(of, {
      rules,
      claims: this.claims,
      notify: (notice) => this.notices.push(notice),
      openSocket: (target) => this.#open(target),
    });
  }

  async #open({ host, port }: SocketTarget): Promise<OpenSocket> {
    await Promise.resolve();
    const id = `${host}:${port}`;
    if (host.startsWith("192.0.2.")) throw Object.assign(new Error(), { code: "EADDRNOTAVAIL" });
    if (port < 1024 && !this.privileged) throw Object.assign(new Error(), { code: "EACCES" });
    if (this.taken.has(id)) throw Object.assign(new Error(), { code: "EADDRINUSE" });
    this.taken.add(id);
    return { bound: { address: host, port }, close: () => void this.taken.delete(id) };
  }
}

const programmed = (...addresses: string[]) => ({
  type: "programmed",
  addresses: addresses.map((text) => ({ address: text.split(":")[0], port: Number(text.split(":")[1]) })),
});

describe("ListenerBinding", () => {
  it("binds the listener's own port on the loopback address", async () => {
    const web = listener(8080);
    expect(await new Machine().binding(web).open(web)).toEqual(programmed("127.0.0.1:8080"));
  });

  it("binds where the listener's port is mapped to, and moves with it", async () => {
    const machine = new Machine();
    const web = { ...listener(80), bindPort: 10_080 };
    const binding = machine.binding(web);
    expect(await binding.open(web)).toEqual(programmed("127.0.0.1:10080"));
    expect(binding.publicPort).toBe(80);
    expect(await binding.open({ ...web, bindPort: 10_081 })).toEqual(programmed("127.0.0.1:10081"));
    expect([...machine.taken]).toHaveLength(1);
    expect(machine.notices).toEqual([]);
  });

  it("maps ports that need privileges to port + 8000, and says so", async () => {
    const machine = new Machine();
    machine.privileged = false;
    const [http, https] = [listener(80), listener(443)];
    const binding = machine.binding(http);
    expect(await binding.open(http)).toEqual(programmed("127.0.0.1:8080"));
    expect(binding.publicPort).toBe(8080);
    expect(await machine.binding(https).open(https)).toEqual(programmed("127.0.0.1:8443"));
    expect(machine.notices).toEqual([
      "Gateway shop/web: TCP port 80 is served on port 8080, because ports below 1024 need privileges.",
      "Gateway shop/web: TCP port 443 is served on port 8443, because ports below 1024 need privileges.",
    ]);
  });

  it("takes the next free port if the mapped one is taken", async () => {
    const machine = new Machine();
    machine.privileged = false;
    machine.taken.add("127.0.0.1:8080").add("127.0.0.1:8081");
    const http = listener(80);
    expect(await machine.binding(http).open(http)).toEqual(programmed("127.0.0.1:8082"));
  });

  it("binds real ports where it may, unless told to map them", async () => {
    const machine = new Machine();
    const [http, https] = [listener(80), listener(443)];
    expect(await machine.binding(http).open(http)).toEqual(programmed("127.0.0.1:80"));
    const mapped = machine.binding(https, { mapPrivilegedPorts: true });
    expect(await mapped.open(https)).toEqual(programmed("127.0.0.1:8443"));
  });

  it("refuses a privileged port if mapping is not wanted", async () => {
    const machine = new Machine();
    machine.privileged = false;
    const http = listener(80);
    const state = await machine.binding(http, { mapPrivilegedPorts: false }).open(http);
    expect(state).toMatchObject({ type: "refused", reason: "PortUnavailable" });
    expect(state).toHaveProperty(
      "message",
      expect.stringContaining("TCP port 80 on 127.0.0.1 may not be opened"),
    );
  });

  it("refuses a port that a stranger has, and gets it later", async () => {
    const machine = new Machine();
    machine.taken.add("127.0.0.1:9000");
    const web = listener(9000);
    const binding = machine.binding(web);
    const state = await binding.open(web);
    expect(state).toMatchObject({ type: "refused", reason: "PortUnavailable" });
    expect(state).toHaveProperty("message", expect.stringContaining("TCP port 9000 on 127.0.0.1 is in use"));
    machine.taken.clear();
    expect(await binding.open(web)).toEqual(programmed("127.0.0.1:9000"));
  });

  it("gives two Gateways with one port a port each", async () => {
    const machine = new Machine();
    const first = listener(8080);
    const second = listener(8080, { key: "shop/api/tcp/8080", gateway: "shop/api" });
    const [a, b] = [machine.binding(first), machine.binding(second)];
    expect(await a.open(first)).toEqual(programmed("127.0.0.1:8080"));
    expect(await b.open(second)).toEqual(programmed("127.0.0.1:8081"));
    expect(machine.notices.at(-1)).toContain("another Gateway has it");
    a.close();
    expect(await b.open(second)).toEqual(programmed("127.0.0.1:8081"));
    expect(b.publicPort).toBe(8081);
    b.close();
    expect(machine.taken.size).toBe(0);
  });

  it("serves the addresses that are there, and says which is not", async () => {
    const machine = new Machine();
    const web = listener(8080, { addresses: ["127.0.0.1", "192.0.2.1"] });
    const binding = machine.binding(web);
    const state = await binding.open(web);
    expect(state).toMatchObject({ type: "refused", reason: "AddressNotUsable" });
    expect(state).toHaveProperty(
      "message",
      expect.stringContaining("Address 192.0.2.1 is not on this machine"),
    );
    expect([...machine.taken]).toEqual(["127.0.0.1:8080"]);
    expect(await binding.open(listener(8080, { addresses: ["127.0.0.1"] }))).toEqual(
      programmed("127.0.0.1:8080"),
    );
  });

  it("never looks up a name as an address", async () => {
    const web = listener(8080, { addresses: ["localhost"] });
    expect(await new Machine().binding(web).open(web)).toMatchObject({ reason: "AddressNotUsable" });
  });

  it("opens a new address before it closes the old one", async () => {
    const machine = new Machine();
    const web = listener(8080);
    const binding = machine.binding(web);
    await binding.open(web);
    await binding.open(listener(8080, { addresses: ["127.0.0.2"] }));
    expect([...machine.taken]).toEqual(["127.0.0.2:8080"]);
  });

  it("ignores a Gateway's addresses where they belong to a load balancer", async () => {
    const web = listener(8080, { addresses: ["192.0.2.1"] });
    const rules = { address: "::", listenerAddresses: "ignore" } as const;
    expect(await new Machine().binding(web, rules).open(web)).toMatchObject({
      addresses: [{ address: "::" }],
    });
  });
});

describe("sockets of this machine", () => {
  const open: { close(): void }[] = [];
  afterEach(() => {
    for (const socket of open.splice(0)) socket.close();
  });
  const tcp = async (target: SocketTarget): Promise<OpenSocket> => {
    const handlers = { maxConnections: 10, onConnection: (s: net.Socket) => s.destroy(), onDrop: () => {} };
    const socket = await openTcp(target, handlers);
    open.push(socket);
    return socket;
  };

  it("reports the port that was really bound", async () => {
    const { bound } = await tcp({ host: "127.0.0.1", port: 0 });
    expect(bound.port).toBeGreaterThan(0);
    await expect(tcp({ host: "127.0.0.1", port: bound.port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  it("tells an address that is not here from a port that is taken", async () => {
    await expect(tcp({ host: "192.0.2.1", port: 0 })).rejects.toMatchObject({ code: "EADDRNOTAVAIL" });
    const target = { host: "192.0.2.1", port: 0 };
    await expect(openUdp(target, () => () => {})).rejects.toMatchObject({ code: "EADDRNOTAVAIL" });
  });
});
