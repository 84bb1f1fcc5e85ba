import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { annotationRoles } from "./annotation-table.ts";

it("is the table of the documentation", () => {
  const text = readFileSync(new URL("../../../docs/ingress.md", import.meta.url), "utf8");
  const rows = [...text.matchAll(/^\| (`[^|]+`) +\| ([^|]+?) +\|/gm)];
  const told = new Map(
    rows.flatMap(([, names = "", role = ""]) =>
      [...names.matchAll(/`([a-z][a-z0-9-]*)`/g)].map(([, name]) => [name, role] as const),
    ),
  );
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(annotationRoles));
});
