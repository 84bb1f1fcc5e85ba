import { expect, it } from "vitest";
import { packagesMissing } from "./packages.mjs";

const lock = (packages) => ({ packages: { "": { name: "gatewright" }, ...packages } });
const wanted = lock({
  "node_modules/yaml": { version: "2.0.0" },
  "node_modules/binding-for-one-platform": { version: "1.0.0", optional: true },
});

it("wants the packages that whoever installs us may leave out", () => {
  const ours = {
    packages: {
      "": { name: "gatewright", optionalDependencies: { "@cloud/sdk": "^1.0.0" } },
      "node_modules/@cloud/sdk": { version: "1.0.0", optional: true },
    },
  };
  expect(packagesMissing(ours, lock({}))).toEqual(["@cloud/sdk"]);
});

it.each([
  ["a fresh clone", undefined, ["yaml"]],
  ["an older version", lock({ "node_modules/yaml": { version: "1.9.0" } }), ["yaml"]],
  ["the same, without what is for other platforms", lock({ "node_modules/yaml": { version: "2.0.0" } }), []],
  [
    "more than is needed",
    lock({ "node_modules/yaml": { version: "2.0.0" }, "node_modules/x": { version: "1.0.0" } }),
    [],
  ],
])("knows what is missing from node_modules: %s", (_, installed, missing) => {
  expect(packagesMissing(wanted, installed)).toEqual(missing);
});
