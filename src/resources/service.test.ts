import { expect, it } from "vitest";
import { describeKind } from "../../test/resources/kind-cases.ts";
import { problemsOf, readAs } from "../../test/resources/problems-of.ts";

describeKind({
  kind: "Service",
  valid: {
    "nothing at all": {},
    "one port without name": { ports: [{ port: 80 }] },
    "ports by number and by name": {
      ports: [
        { name: "http", port: 80, targetPort: 8080, appProtocol: "kubernetes.io/h2c" },
        { name: "https", port: 443, targetPort: "tls", protocol: "TCP", nodePort: 30443 },
      ],
    },
    headless: { clusterIP: "None", selector: { app: "web" }, ports: [{ port: 80 }] },
    "an external name": { type: "ExternalName", externalName: "example.com" },
    "fields that are not our concern": { healthCheckNodePort: 1234, sessionAffinityConfig: { clientIP: {} } },
  },
  invalid: {
    "several ports without names": [
      { ports: [{ name: "a", port: 80 }, { port: 81 }] },
      "ports[1].name: ports must have names when there is more than one",
    ],
    "one name twice": [
      {
        ports: [
          { name: "a", port: 80 },
          { name: "a", port: 81 },
        ],
      },
      "ports[1].name: names of ports must be unique",
    ],
    "a port that is none": [
      { ports: [{ port: 70000, targetPort: true }] },
      "ports[0].port: must be between 1 and 65535, not 70000",
      "ports[0].targetPort: must be a whole number or a string, not true",
    ],
    "an external name without name": [
      { type: "ExternalName" },
      "externalName: externalName must be specified when type is ExternalName",
    ],
  },
});

const service = { apiVersion: "v1", kind: "Service", metadata: { name: "web" } };

it("Service defaults are those of the API", () => {
  expect(readAs("Service", { ...service, spec: { ports: [{ port: 80 }], unknown: 1 } }).spec).toEqual({
    type: "ClusterIP",
    selector: {},
    ports: [{ port: 80, protocol: "TCP" }],
    publishNotReadyAddresses: false,
    sessionAffinity: "None",
  });
});

it("a Service has a name that is one DNS label", () => {
  expect(problemsOf({ ...service, metadata: { name: "a.b" }, spec: {} })).toEqual([
    'metadata.name: "a.b" must be lowercase letters, digits and hyphens (matching ^[a-z0-9]([-a-z0-9]*[a-z0-9])?$)',
  ]);
});
