import { describe, expect, it } from "vitest";
import type { Listener } from "../../model/index.ts";
import { PortMapping } from "./port-mapping.ts";

function listener(gateway: string, port: number, changes: Partial<Listener> = {}): Listener {
  const transport = changes.transport ?? "tcp";
  const key = `${gateway}/${transport}/${port}`;
  return { key, gateway, port, transport, protocol: "http", addresses: [], ...changes };
}

describe("where listeners are opened", () => {
  it("is their own port, if we may open it", () => {
    const ports = new PortMapping({ address: "127.0.0.1", mapPrivilegedPorts: false });
    const web = listener("a/web", 80);
    expect(ports.map(web)).toBe(web);
    expect(ports.addressesOf(web.key)).toEqual([{ address: "127.0.0.1", port: 80 }]);
    expect(ports.addressesOf("a/none/tcp/1")).toBeUndefined();
  });

  it("is 8000 higher below 1024 where that is wanted, and the user hears of it", () => {
    const notices: string[] = [];
    const ports = new PortMapping({
      address: "::",
      mapPrivilegedPorts: true,
      notify: (notice) => notices.push(notice),
    });
    expect(ports.map(listener("a/web", 443)).bindPort).toBe(8443);
    expect(ports.map(listener("a/web", 8080)).bindPort).toBeUndefined();
    expect(notices).toEqual([
      "Gateway a/web: port 443 (tcp) is opened as 8443, because ports below 1024 need privileges.",
    ]);
  });

  it("is another one if another Gateway has it, and stays the one it was", () => {
    const ports = new PortMapping({ address: "127.0.0.1", mapPrivilegedPorts: false });
    const [first, second, third] = [listener("a/web", 80), listener("b/web", 80), listener("c/web", 80)];
    ports.map(first);
    expect(ports.map(second).bindPort).toBe(8080);
    expect(ports.map(third).bindPort).toBe(8081);
    ports.forget(first.key);
    expect(ports.map(second).bindPort).toBe(8080);
    expect(ports.map(first).bindPort).toBeUndefined();
    // UDP and other addresses are other ports.
    expect(ports.map(listener("d/web", 80, { transport: "udp" })).bindPort).toBeUndefined();
    const own = new PortMapping({ address: "127.0.0.1", mapPrivilegedPorts: false });
    own.map(listener("a/web", 80, { addresses: ["192.0.2.1"] }));
    expect(own.map(listener("b/web", 80, { addresses: ["192.0.2.2"] })).bindPort).toBeUndefined();
  });

  it("is where somebody before us said, and addresses may belong to what is in front", () => {
    const ports = new PortMapping({ address: "0.0.0.0", listenerAddresses: "ignore" });
    const mapped = ports.map(listener("a/web", 80, { bindPort: 10080, addresses: ["192.0.2.1"] }));
    expect(mapped).toMatchObject({ bindPort: 10080, addresses: [] });
    expect(ports.addressesOf("a/web/tcp/80")).toEqual([{ address: "0.0.0.0", port: 10080 }]);
  });
});
