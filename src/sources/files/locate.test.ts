import { describe, expect, it } from "vitest";
import { documents, httpRoute } from "../../../test/sources/manifests.ts";
import { Folder, startSource } from "../../../test/sources/watched-folder.ts";

describe("where an object stands", () => {
  it("is told by its key, for the file whose version counts", async () => {
    const folder = new Folder();
    folder.write("a.yaml", documents(httpRoute("first"), httpRoute("second")));
    folder.write("b.yaml", httpRoute("second"));
    const { source } = await startSource({ paths: [folder.path], watch: false });
    const origin = `${folder.path}/a.yaml`;
    expect(source.locate("HTTPRoute/default/second")).toEqual({ origin, line: 17, column: 1 });
    expect(source.locate("HTTPRoute/default/second", ["spec", "rules", 0])).toEqual({
      origin,
      line: 25,
      column: 7,
    });
    expect(source.locate("HTTPRoute/default/third")).toBeUndefined();
  });
});
