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
        ingresses: {
          controllers: ["gatewright.dev/ingress-controller", "k8s.io/ingate"],
          names: ["gatewright", "ingate"],
          byName: false,
          withoutClass: false,
          ignoreClass: false,
        },
        httpProxies: { classes: ["gatewright"], withoutClass: false },
      },
    });
  });

  it("in files is what is there", () => {
    expect(read({}, fileLayers)).toMatchObject({
      layers: {
        gateway: "default/ingress",
        ingresses: { withoutClass: true },
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
        "ingress-controller": ["example.com/ingress"],
        "ingress-class": ["edge"],
        "ingress-class-by-name": [""],
        "ingress-without-class": [""],
        "ignore-ingress-class": [""],
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
        ingresses: {
          controllers: ["example.com/ingress"],
          names: ["edge"],
          byName: true,
          withoutClass: true,
          ignoreClass: true,
        },
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
