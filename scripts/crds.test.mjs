import { describe, expect, it } from "vitest";
import {
  customResourceDefinition,
  dnsRecordKind,
  kinds,
  ownGroup,
  platformKind,
} from "../src/resources/index.ts";
import { renderCrds, staleFiles } from "./crds.mjs";

describe("renderCrds", () => {
  it("makes a file for each kind of our own", async () => {
    const files = await renderCrds({
      customResourceDefinition,
      kinds,
      ownGroup,
      platformKind,
      dnsRecordKind,
    });
    const own = [...kinds.values()].filter(({ group }) => group === ownGroup);
    expect([...files.keys()]).toEqual(
      [...own, platformKind, dnsRecordKind].map(({ plural }) => `${plural}.yaml`),
    );
    expect(files.get("proxyconfigs.yaml")).toMatch(/^# Made by .*\napiVersion: apiextensions.k8s.io\/v1\n/);
  });
});

describe("staleFiles", () => {
  it("names what differs, is missing, or should not be there", () => {
    const wanted = new Map([
      ["same.yaml", "1"],
      ["new.yaml", "2"],
      ["changed.yaml", "3"],
    ]);
    const there = new Map([
      ["same.yaml", "1"],
      ["changed.yaml", "4"],
      ["gone.yaml", "5"],
    ]);
    expect(staleFiles(wanted, there)).toEqual(["new.yaml", "changed.yaml", "gone.yaml"]);
  });
});
