import { describe, expect, it } from "vitest";
import { bootstrapFileNames, renderBootstrapFiles, type BootstrapOptions } from "./bootstrap.ts";

const options: BootstrapOptions = {
  channel: { host: "gatewright.gatewright-system", port: 18000 },
  folder: "/etc/gatewright/envoy",
  certificates: "/etc/gatewright/channel",
  adminSocket: "/tmp/admin.sock",
  status: { address: "0.0.0.0", port: 19001 },
};

interface Bootstrap {
  readonly admin: unknown;
  readonly dynamic_resources: { readonly cds_config: unknown; readonly lds_config: unknown };
  readonly static_resources: {
    readonly clusters: readonly {
      readonly name: string;
      readonly type: string;
      readonly load_assignment: unknown;
    }[];
    readonly listeners?: readonly unknown[];
  };
  readonly stats_config?: unknown;
  readonly overload_manager: {
    readonly resource_monitors: readonly unknown[];
    readonly actions?: readonly unknown[];
  };
}

function render(changes: Partial<BootstrapOptions> = {}): Bootstrap {
  const files = renderBootstrapFiles({ ...options, ...changes });
  return JSON.parse(files.get(bootstrapFileNames.bootstrap)!) as Bootstrap;
}

describe("the bootstrap", () => {
  it("attack 22: has the admin interface on a socket in the file system, and nowhere else", () => {
    const { admin, static_resources } = render();
    expect(admin).toEqual({ address: { pipe: { path: "/tmp/admin.sock", mode: 0o600 } } });
    expect(JSON.stringify(static_resources.listeners)).not.toContain("config_dump");
    const { status: _, ...others } = options;
    const without = renderBootstrapFiles(others).get(bootstrapFileNames.bootstrap);
    expect(without).not.toContain("/ready");
    const { status: _status, ...rest } = { ...options, readiness: { address: "0.0.0.0", port: 19002 } };
    const readinessOnly = renderBootstrapFiles(rest).get(bootstrapFileNames.bootstrap);
    expect(readinessOnly).toContain("/healthz/ready");
    expect(readinessOnly).not.toMatch(/metrics|prometheus/);
  });

  it("waits for the first configuration, however long it takes", () => {
    const source = { ads: {}, resource_api_version: "V3", initial_fetch_timeout: "0s" };
    expect(render().dynamic_resources).toMatchObject({ cds_config: source, lds_config: source });
  });

  it("finds the channel by name or address", () => {
    expect(render().static_resources.clusters[0]).toMatchObject({ type: "STRICT_DNS" });
    const channel = { host: "fd00::1", port: 1 };
    expect(render({ channel }).static_resources.clusters[0]).toMatchObject({ type: "STATIC" });
  });

  it("follows its certificates by files beside it", () => {
    const files = renderBootstrapFiles(options);
    const certificate = files.get(bootstrapFileNames.certificate);
    expect(certificate).toContain('"/etc/gatewright/channel/tls.key"');
    expect(certificate).toContain("watched_directory");
    expect(files.get(bootstrapFileNames.bootstrap)).toContain(
      "/etc/gatewright/envoy/channel-authorities.json",
    );
    expect(files.get(bootstrapFileNames.authorities)).toContain("/etc/gatewright/channel/ca.crt");
  });

  it("counts per backend, and guards its memory, only if asked to", () => {
    expect(render().stats_config).toBeDefined();
    expect(render({ statisticsPerBackend: true }).stats_config).toBeUndefined();
    expect(render().overload_manager).toMatchObject({ resource_monitors: [{}] });
    expect(render({ maxHeapSize: 1e9 }).overload_manager.actions).toHaveLength(2);
  });
});
