import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { documentedMembers, interfaceMembers } from "../../test/interface-members.ts";

const text = readFileSync(new URL("../../docs/library.md", import.meta.url), "utf8");

const tables = [
  { heading: "## Options of `createController`", file: "controller.ts", name: "ControllerOptions" },
  // What the driver claims is not for the user to say.
  { heading: "### Settings", file: "../translate/settings.ts", name: "TranslateSettings", apart: "features" },
  { heading: "### Events", file: "controller.ts", name: "ControllerEvents" },
  { heading: "## The controller", file: "controller.ts", name: "Controller" },
];

describe("docs/library.md", () => {
  it.each(tables)("has under $heading what $name has, and nothing else", ({ heading, file, name, apart }) => {
    const members = interfaceMembers(new URL(file, import.meta.url), name);
    const expected = members.filter((member) => member !== apart);
    expect(documentedMembers(text, heading).toSorted()).toEqual(expected.toSorted());
  });

  it("has what a memory source and the embedded driver can be told", () => {
    const memory = new URL("../sources/memory/memory-source.ts", import.meta.url);
    const embedded = new URL("../drivers/embedded/options.ts", import.meta.url);
    const bind = new URL("../drivers/bind-rules.ts", import.meta.url);
    const sockets = new URL("../drivers/embedded/listeners/wanted-sockets.ts", import.meta.url);
    expect(documentedMembers(text, "## Objects from elsewhere").toSorted()).toEqual(
      [...interfaceMembers(memory, "MemoryBatch"), ...interfaceMembers(memory, "MemorySource")].toSorted(),
    );
    expect(documentedMembers(text, "## A data plane of your own").toSorted()).toEqual(
      interfaceMembers(embedded, "EmbeddedOptions")
        .concat(interfaceMembers(bind, "BindRules"), interfaceMembers(sockets, "EmbeddedBindRules"))
        .toSorted(),
    );
  });
});
