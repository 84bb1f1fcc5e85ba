// The documents as a whole: what they point to is there, and no table has a hole.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { projectFolder } from "./command.mjs";

const folders = ["docs", "src", "test", "charts", "conformance", "bench", "examples"];
const documents = [
  "README.md",
  "CONTRIBUTING.md",
  ...folders.flatMap((folder) =>
    existsSync(join(projectFolder, folder))
      ? readdirSync(join(projectFolder, folder), { recursive: true, encoding: "utf8" })
          .filter((path) => path.endsWith(".md"))
          .map((path) => `${folder}/${path}`)
      : [],
  ),
];

const read = (path) => readFileSync(join(projectFolder, path), "utf8");

/** The text without what is shown as code: neither links nor tables are in there. */
const prose = (path) => read(path).replaceAll(/^```.*?^```$/gms, "");

/** As GitHub makes them of headings. */
function anchorsOf(path) {
  return [...prose(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function brokenLinksOf(path) {
  const links = [...prose(path).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [file, anchor] = link.split("#");
    const target = file === "" ? path : relative(projectFolder, join(projectFolder, dirname(path), file));
    if (!existsSync(join(projectFolder, target))) return true;
    return anchor !== undefined && !anchorsOf(target).includes(anchor);
  });
}

const cellsOf = (row) => row.replaceAll(/`[^`]*`|\\\|/g, "x").split("|").length;

describe.each(documents)("%s", (path) => {
  it("points to what is there", () => {
    expect(brokenLinksOf(path)).toEqual([]);
  });

  it("has as many cells in each row of a table as in its head", () => {
    const tables = [...prose(path).matchAll(/(?:^\|.*\|\n)+/gm)].map(([table]) => table.trim().split("\n"));
    const uneven = tables.flatMap(([head, ...rows]) => rows.filter((row) => cellsOf(row) !== cellsOf(head)));
    expect(uneven).toEqual([]);
  });
});
