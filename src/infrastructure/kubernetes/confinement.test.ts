/** Whoever may write a Gateway or a ProxyConfig gets no more by it than what is on the list: attack 18, and what a proxy Pod must be like. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fleetOf } from "../../../test/infrastructure/fleets.ts";
import { standardNames } from "./fleet-names.ts";
import { renderFleet } from "./fleet-objects.ts";
import { infrastructureNotes } from "./object-metadata.ts";

const context = {
  names: standardNames,
  images: { envoy: "envoy", gatewright: "gatewright" },
  channel: "controller:18000",
  networkPolicy: true,
};

const key = fc.oneof(
  fc.constantFrom(
    "__proto__",
    "constructor",
    "app.kubernetes.io/managed-by",
    "gateway.networking.k8s.io/gateway-name",
    "gatewright.dev/controller",
    "x.gatewright.dev/y",
    "container.apparmor.security.beta.kubernetes.io/proxy",
    "k8s.v1.cni.cncf.io/networks",
    "pod-template-hash",
  ),
  fc.stringMatching(/^[a-z]{1,9}$/),
);
const entries = fc.dictionary(key, fc.string({ maxLength: 9 }), { noNullPrototype: false });
const fleets = fc
  .record({
    driver: fc.constantFrom("envoy", "embedded", "nginx", "haproxy"),
    labels: entries,
    annotations: entries,
    serviceAnnotations: entries,
  })
  .map(({ serviceAnnotations, ...fields }) =>
    fleetOf({
      ...fields,
      settings: {
        replicas: 2,
        service: { type: "LoadBalancer", loadBalancerSourceRanges: [], annotations: serviceAnnotations },
      },
    }),
  );

const servicePart = new Set([
  "type",
  "selector",
  "ports",
  "externalTrafficPolicy",
  "loadBalancerClass",
  "loadBalancerSourceRanges",
  "loadBalancerIP",
]);

describe("what a fleet consists of", () => {
  it.each([
    ["a device of the machine", "io.kubernetes.cri-o.Devices"],
    ["a device of the machine", "cdi.k8s.io/gpu"],
    ["another network", "v1.multus-cni.io/default-network"],
    ["an address of its choice", "cni.projectcalico.org/ipAddrs"],
    ["a role at a cloud", "eks.amazonaws.com/role-arn"],
    ["a role at a cloud", "iam.amazonaws.com/role"],
    ["an account at a cloud", "iam.gke.io/gcp-service-account"],
    ["an account at a cloud", "azure.workload.identity/client-id"],
  ])("does not get %s by an annotation of the Gateway: attack 18, %s", (_, annotation) => {
    const fleet = fleetOf({ annotations: { [annotation]: "x", "example.com/team": "a" } });
    for (const { object } of renderFleet(fleet, context)) {
      expect(object.metadata.annotations).toHaveProperty(["example.com/team"]);
      expect(JSON.stringify(object)).not.toContain(annotation);
    }
    expect(infrastructureNotes(fleet).join()).toContain(`${annotation} is reserved`);
  });

  it("is found by our labels and has our marks, whatever the Gateway asks for", () => {
    fc.assert(
      fc.property(fleets, (fleet) => {
        for (const { object } of renderFleet(fleet, context)) {
          const { labels = {}, annotations = {} } = object.metadata;
          expect(labels).toMatchObject(standardNames.selector(fleet));
          expect(labels["app.kubernetes.io/managed-by"]).toBe("gatewright");
          expect(labels).not.toHaveProperty("pod-template-hash");
          expect(annotations["gatewright.dev/controller"]).toBe(fleet.controllerName);
          expect(Object.keys(annotations).join()).not.toMatch(/apparmor|cni\.cncf|x\.gatewright/);
          expect(Object.getPrototypeOf(labels)).toBe(Object.prototype);
        }
        for (const note of infrastructureNotes(fleet)) expect(note).toMatch(/is reserved and was left out/);
      }),
    );
  });

  it("is a Service of the fields on the list, and Pods without privileges", () => {
    fc.assert(
      fc.property(fleets, (fleet) => {
        const spec = (kind: string) =>
          renderFleet(fleet, context).find(({ object }) => object.kind === kind)?.object["spec"] as object;
        expect(Object.keys(spec("Service")).filter((name) => !servicePart.has(name))).toEqual([]);
        const pod = spec("Deployment") as { template: { spec: PodSpec } };
        const { template } = pod;
        expect(template.spec).not.toHaveProperty("hostNetwork");
        expect(template.spec.automountServiceAccountToken).toBe(false);
        expect(template.spec.securityContext).toMatchObject({
          runAsNonRoot: true,
          seccompProfile: { type: "RuntimeDefault" },
        });
        for (const volume of template.spec.volumes) expect(volume).not.toHaveProperty("hostPath");
        for (const { securityContext, ports } of template.spec.containers) {
          expect(securityContext).toMatchObject({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ["ALL"] },
          });
          for (const port of ports) expect(port).not.toHaveProperty("hostPort");
        }
      }),
    );
  });
});

interface PodSpec {
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: object;
  readonly volumes: readonly object[];
  readonly containers: readonly { readonly securityContext: object; readonly ports: readonly object[] }[];
}
