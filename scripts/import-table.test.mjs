import { readdirSync, readFileSync } from "node:fs";
import { format } from "prettier";
import { describe, expect, it } from "vitest";
import { renderTable, withTable } from "./import-table.mjs";

const table = JSON.parse(readFileSync(new URL("import-table.json", import.meta.url), "utf8"));

describe("the import table", () => {
  it("has a row for everything in src/, and none for what is not there", () => {
    const there = readdirSync(new URL("../src", import.meta.url));
    expect(Object.keys(table).toSorted()).toEqual(there.toSorted());
  });

  it("mentions only rows that exist", () => {
    for (const { mayImport, mayImportTypesOf = [] } of Object.values(table)) {
      for (const name of [...mayImport, ...mayImportTypesOf]) expect(Object.keys(table)).toContain(name);
    }
  });

  it("has no two rows that may import each other", () => {
    for (const [name, { mayImport }] of Object.entries(table)) {
      for (const other of mayImport) expect(table[other].mayImport).not.toContain(name);
    }
  });

  it("is written the way the formatter leaves it", async () => {
    const document = withTable(
      "# A\n\n<!-- import-table:start -->\nold\n<!-- import-table:end -->\n",
      renderTable(table),
    );
    expect(await format(document, { parser: "markdown", printWidth: 110 })).toBe(document);
    expect(withTable(document, renderTable(table))).toBe(document);
  });

  it("needs its markers", () => {
    expect(withTable("# A\n", "table")).toBeUndefined();
  });
});
