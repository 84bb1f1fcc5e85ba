import { describe, expect, it } from "vitest";
import { managesName } from "../dns/dns-settings.ts";
import { openshiftDns } from "./openshift-dns.ts";

const object = (kind: string, fields: object) => ({
  apiVersion: "config.openshift.io/v1",
  kind,
  metadata: { name: "cluster" },
  ...fields,
});
const dns = object("DNS", {
  spec: { baseDomain: "example.com", publicZone: { id: "Z1" }, privateZone: { tags: { Name: "int" } } },
});
const on = (platformStatus: object, spec = dns) =>
  openshiftDns(spec, object("Infrastructure", { status: { platformStatus } }), []);

describe("names on OpenShift", () => {
  it("1.7.14 a platform that does not say yet what it is asks for nothing", () => {
    expect(openshiftDns(dns, object("Infrastructure", { status: {} }), [])).toBeUndefined();
  });

  it("1.7.9, 1.8.1, 1.8.3: Gateways of openshift-ingress, records of the operator's namespace too, the private zone first", () => {
    const infrastructure = object("Infrastructure", { status: { platformStatus: { type: "None" } } });
    expect(openshiftDns(dns, infrastructure, ["team"])).toMatchObject({
      provider: "none",
      alwaysHasRecords: true,
      namespaces: ["openshift-ingress", "team"],
      moreRecordNamespaces: ["openshift-ingress-operator"],
      zones: [{ tags: { Name: "int" } }, { id: "Z1" }],
      ttl: 30,
    });
  });

  it("1.8.10 the cloud and its Secret", () => {
    const credentials = { name: "cloud-credentials", namespace: "openshift-ingress-operator" };
    expect(on({ type: "AWS", aws: { region: "eu-west-1" } })).toMatchObject({
      provider: "aws",
      credentials,
      providerSettings: { region: "eu-west-1" },
    });
    expect(on({ type: "GCP", gcp: { projectID: "p1" } })).toMatchObject({
      provider: "google",
      credentials,
      providerSettings: { project: "p1" },
    });
    const azure = { cloudName: "AzureUSGovernmentCloud", resourceGroupName: "rg" };
    expect(on({ type: "Azure", azure })).toMatchObject({
      provider: "azure",
      providerSettings: { cloud: "AzureUSGovernmentCloud", resourceGroup: "rg" },
    });
    expect(on({ type: "IBMCloud", ibmcloud: { cisInstanceCRN: "crn:1" } })).toMatchObject({
      provider: "ibm",
      providerSettings: { cisInstanceCRN: "crn:1" },
    });
  });

  it("1.7.8 on AWS and GCP only names below the base domain are managed, and none without one; elsewhere all are", () => {
    const names = ["a.example.com", "example.com", "a.example.org"];
    const managed = (platform: object, spec = dns) => {
      const settings = on(platform, spec);
      return names.filter((name) => settings && managesName(settings, name));
    };
    const withoutDomain = object("DNS", { spec: { baseDomain: "" } });
    expect(managed({ type: "AWS" })).toEqual(["a.example.com"]);
    expect(managed({ type: "GCP" })).toEqual(["a.example.com"]);
    expect(managed({ type: "AWS" }, withoutDomain)).toEqual([]);
    expect(managed({ type: "Azure" })).toEqual(names);
    expect(managed({ type: "BareMetal" }, withoutDomain)).toEqual(names);
  });
});
