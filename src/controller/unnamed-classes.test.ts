import { describe, expect, it } from "vitest";
import { dryRunOf } from "../../test/controller/dry-objects.ts";
import { unnamedClasses } from "./unnamed-classes.ts";

const gateway = (name: string, className: string) => `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: ${name} }
spec: { gatewayClassName: ${className}, listeners: [{ name: http, port: 80, protocol: HTTP }] }
`;
const gatewayClass = (name: string) => `apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: ${name} }
spec: { controllerName: example.com/gateway-controller }
`;

describe("classes that are not among the objects", () => {
  it("are those that Gateways name, without our own", async () => {
    const { controller } = await dryRunOf(
      gateway("a", "istio"),
      gateway("b", "istio"),
      gateway("c", "example"),
      gatewayClass("example"),
      gateway("d", "gatewright"),
      gateway("e", "cilium"),
    );
    expect(unnamedClasses(controller.resources())).toEqual([{ name: "cilium" }, { name: "istio" }]);
  });

  it("may be misspelt", async () => {
    const { controller } = await dryRunOf(
      gateway("a", "exmaple"),
      gatewayClass("example"),
      gateway("b", "gatewrigth"),
    );
    expect(unnamedClasses(controller.resources())).toEqual([
      { name: "exmaple", meant: "example" },
      { name: "gatewrigth", meant: "gatewright" },
    ]);
  });
});
