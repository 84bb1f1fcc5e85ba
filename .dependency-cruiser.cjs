// Who may import whom. The table is scripts/import-table.json; docs/architecture.md shows it.

const table = require("./scripts/import-table.json");

// A folder's files, or the one file that a row with an extension names.
const pathOf = (name) => (name.includes(".") ? `^src/${name.replace(".", "[.]")}$` : `^src/${name}/`);
const anyOf = (names) => names.map(pathOf).join("|");

const rowRules = Object.entries(table).flatMap(([name, { mayImport, mayImportTypesOf: types = [] }]) => [
  {
    name: `${name}-imports`,
    severity: "error",
    comment: `src/${name} may import only: ${[name, ...mayImport, ...types.map((t) => `types of ${t}`)].join(", ")}`,
    from: { path: pathOf(name) },
    to: { path: "^src/", pathNot: anyOf([name, ...mayImport, ...types]) },
  },
  ...types.map((other) => ({
    name: `${name}-imports-types-of-${other}`,
    severity: "error",
    comment: `src/${name} may import from src/${other} with \`import type\` only; the rest comes through controller`,
    from: { path: pathOf(name), pathNot: "[.]test[.]ts$" },
    to: { path: pathOf(other), dependencyTypesNot: ["type-only"] },
  })),
]);

const moreRules = [
  {
    name: "every-file-has-a-row",
    severity: "error",
    comment: "a new folder in src/ needs a row in scripts/import-table.json",
    from: { path: "^src/", pathNot: anyOf(Object.keys(table)) },
    to: {},
  },
  {
    name: "siblings-do-not-meet",
    severity: "error",
    comment:
      "two drivers, or two DNS providers, never import each other: shared code moves to the parent folder",
    from: { path: "^src/(drivers|operator/dns/providers)/([^/]+)/" },
    to: { path: "^src/$1/[^/]+/", pathNot: "^src/$1/$2/" },
  },
  {
    name: "driver-kit-knows-no-driver",
    severity: "error",
    comment:
      "the driver kit is for every driver: it may import the files of src/drivers, not a driver's folder",
    from: { path: "^src/driver-kit/", pathNot: "[.]test[.]ts$" },
    to: { path: "^src/drivers/[^/]+/" },
  },
  {
    name: "pure-folders-do-no-io",
    severity: "error",
    comment: "the same objects give the same result: no files, sockets, processes or timers here",
    from: { path: "^src/(incremental|resources|model|status|translate)/", pathNot: "[.]test[.]ts$" },
    to: { dependencyTypes: ["core"], pathNot: "^(node:)?(crypto|util)$" },
  },
  {
    name: "product-stands-alone",
    severity: "error",
    comment: "what is shipped does not import tests, benchmarks, examples or scripts",
    from: { path: "^src/", pathNot: "[.]test[.]ts$" },
    to: { path: "^(test|bench|examples|scripts)/|[.]test[.]ts$" },
  },
  {
    name: "no-cycles",
    severity: "error",
    comment: "files that import each other can only be read together",
    from: {},
    to: { circular: true },
  },
];

module.exports = {
  forbidden: [...rowRules, ...moreRules],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
  },
};
