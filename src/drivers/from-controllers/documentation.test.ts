import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { documentedMembers, interfaceMembers } from "../../../test/interface-members.ts";

it("has its methods and options in docs/drivers.md, with their parameters", () => {
  const text = readFileSync(new URL("../../../docs/drivers.md", import.meta.url), "utf8");
  const controllers = new URL("controllers.ts", import.meta.url);
  const options = new URL("driver-from-controllers.ts", import.meta.url);
  const names = ["ListenerController", "CertificateController", "RouteController", "BackendController"];
  expect(documentedMembers(text, "## The four small interfaces").toSorted()).toEqual(
    names
      .flatMap((name) => interfaceMembers(controllers, name))
      .concat(interfaceMembers(options, "FromControllersOptions"))
      .toSorted(),
  );
});
