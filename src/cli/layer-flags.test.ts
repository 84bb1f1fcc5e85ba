import { describe, expect, it } from "vitest";
import { Invocation } from "./invocation.ts";
import { fileLayers, layerFlags, readLayers, type LayerDefaults } from "./layer-flags.ts";

const cluster: LayerDefaults = { gateway: "system/ingress", gatewayClass: "gatewright", fromFiles: false };
const read = (given: Readonly<Record<string, readonly string[]>>, defaults = cluster) =>
  readLayers(new Invocation(layerFlags, [], new Map(Object.entries(given))), defaults);

describe("what is served beside the Gateway API", () => {
  it("on a cluster is of our class, so that another controller's objects are left alone", () => {
    expect(read({})).toEqual({
      outcome: "layers",
      layers: {
        gateway: "system/ingress",
        gatewayClass: "gatewright",
        httpProxies: { classes: ["gatewright"], withoutClass: false },
      },
    });
  });

  it("in files is what is there", () => {
    expect(read({}, fileLayers)).toMatchObject({
      layers: {
        gateway: "default/ingress",
        httpProxies: { classes: ["gatewright", "contour"], withoutClass: true },
      },
    });
    expect(read({ "httpproxy-class": ["inner"] }, fileLayers)).toMatchObject({
      layers: { httpProxies: { classes: ["inner"], withoutClass: false } },
    });
  });

  it("is what the flags say", () => {
    expect(
      read({
        "ingress-gateway": ["infra/web"],
        "default-certificate": ["infra/wildcard"],
        "httpproxy-class": ["contour", "inner"],
        "httpproxy-without-class": [""],
        "httpproxy-root-namespace": ["shop", "blog"],
      }),
    ).toEqual({
      outcome: "layers",
      layers: {
        gateway: "infra/web",
        gatewayClass: "gatewright",
        defaultCertificate: { namespace: "infra", name: "wildcard" },
        httpProxies: {
          classes: ["contour", "inner"],
          withoutClass: true,
          rootNamespaces: ["shop", "blog"],
        },
      },
    });
  });

  it.each(["ingress-gateway", "default-certificate"])("--%s is namespace and name", (flag) => {
    expect(read({ [flag]: ["web"] })).toEqual({
      outcome: "malformed",
      message: `--${flag}: web is not NAMESPACE/NAME, such as shop/web`,
    });
  });
});
