import { describe, expect, it } from "vitest";
import { dryRunOf, serviceYaml } from "../../../test/controller/dry-objects.ts";
import type { ShownObject } from "../../controller/index.ts";
import { styleFor } from "../style.ts";
import { conditionStatus } from "./conditions.ts";
import { objectId } from "./fetch-objects.ts";
import { renderObjectTables } from "./object-table.ts";

const objects = `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec:
  gatewayClassName: gatewright
  listeners: [{ name: http, port: 80, protocol: HTTP }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: cart, namespace: shop }
spec:
  parentRefs: [{ name: web, sectionName: http }, { name: other, namespace: default }]
  hostnames: [a.example.com, b.example.com]
  rules: [{ backendRefs: [{ name: cart, port: 80 }] }]
`;
const render = (shown: readonly ShownObject[], wide = false, messages = new Map<string, string>()) =>
  renderObjectTables(shown, { wide, messages, style: styleFor(false) }).split("\n");

describe("tables of objects", () => {
  it("have a table for each kind, as kubectl has", async () => {
    const { objects: read } = await dryRunOf(objects, serviceYaml("cart", "10.0.0.1"));
    const shown = read.map((object) => object.shown);
    expect(render(shown)).toEqual([
      "NAMESPACE   NAME          CLASS        ADDRESS   PROGRAMMED   LISTENERS   ROUTES",
      "shop        gateway/web   gatewright   <none>    True         http:80     1",
      "",
      "NAMESPACE   NAME             HOSTNAMES                     PARENTS                  ACCEPTED   RESOLVEDREFS",
      "shop        httproute/cart   a.example.com,b.example.com   web:http,default/other   False      True",
      "",
      "NAMESPACE   NAME           TYPE        PORTS",
      "shop        service/cart   ClusterIP   80",
      "",
      "NAMESPACE   NAME                 PORTS   ENDPOINTS",
      "shop        endpointslice/cart   8080    10.0.0.1",
      "",
    ]);
  });

  it("tell what to look at when they are wide, of all kinds that are judged", () => {
    const object = (apiVersion: string, kind: string) => ({
      apiVersion,
      kind,
      metadata: { name: "cart", namespace: "shop" },
    });
    const kinds = ["Gateway", "HTTPRoute", "BackendTLSPolicy", "Ingress", "HTTPProxy", "XBackend", "XMesh"];
    for (const kind of kinds) {
      const messages = new Map([[objectId(kind, "shop", "cart"), "this is wrong"]]);
      const [head, row] = render([object("example.com/v1", kind)], true, messages);
      expect(head).toMatch(/ MESSAGE$/);
      expect(row).toMatch(/ this is wrong$/);
    }
    expect(render([object("v1", "Service")], true)[0]).not.toContain("MESSAGE");
  });

  it("know nothing of fields that objects inherit", () => {
    const object = { apiVersion: "v1", kind: "Service", metadata: { name: "x" }, spec: "constructor" };
    expect(render([object])).toEqual(["NAME   TYPE     PORTS", "x      <none>   <none>", ""]);
  });
});

describe("conditions of a status", () => {
  it("are true only where they are true for all parents", () => {
    const entry = (status: string) => ({
      conditions: [{ type: "Accepted", status, reason: "r", message: status }],
    });
    const judge = (...statuses: string[]) =>
      conditionStatus(
        {
          apiVersion: "v1",
          kind: "HTTPRoute",
          metadata: { name: "x" },
          status: { parents: statuses.map(entry) },
        },
        "Accepted",
      );
    expect(judge("True", "True")).toBe("True");
    expect(judge("True", "False")).toBe("False");
    expect(judge("Unknown")).toBe("Unknown");
    expect(judge()).toBe("");
  });
});
