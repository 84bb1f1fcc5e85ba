import { describe, expect, it } from "vitest";
import { RecordingSink } from "../../../test/sources/recording-sink.ts";
import { parseResource, type Resource } from "../../resources/index.ts";
import { memorySource } from "./memory-source.ts";

function namespace(name: string): Resource {
  const parsed = parseResource({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  if (parsed.outcome !== "resource") throw new Error(parsed.outcome);
  return parsed.resource;
}

const status = (name: string) => ({
  key: `Namespace/${name}`,
  kind: "Namespace" as const,
  namespace: undefined,
  name,
  generation: 1,
  content: { shape: "conditions" as const, conditions: [] },
});

describe("memorySource", () => {
  it("hands over what is there at the start, then every change", async () => {
    const a = namespace("a");
    const source = memorySource([a]);
    source.set(namespace("early"));
    const sink = new RecordingSink();
    await source.start(sink);
    expect(sink.batches).toHaveLength(1);
    expect(sink.keys).toEqual(["Namespace/a", "Namespace/early"]);
    expect(sink.objects.get("Namespace/a")).toBe(a);
    source.set(namespace("b"));
    source.delete("Namespace", "a");
    source.delete("Namespace", "never");
    expect(sink.batches.slice(1).map((batch) => batch.map(({ key }) => key))).toEqual([["b"], ["a"]]);
    await source.stop();
    source.set(namespace("late"));
    expect(sink.keys).toEqual(["Namespace/b", "Namespace/early"]);
  });

  it("hands over a batch in one call", async () => {
    const source = memorySource();
    const sink = new RecordingSink();
    await source.start(sink);
    source.batch((batch) => {
      batch.set(namespace("a"));
      source.batch((inner) => inner.set(namespace("b")));
      batch.set(namespace("c"));
      batch.delete("Namespace", "a");
    });
    source.batch(() => undefined);
    expect(sink.batches).toHaveLength(2);
    expect(sink.keys).toEqual(["Namespace/b", "Namespace/c"]);
    const failing = () =>
      source.batch((batch) => {
        batch.set(namespace("d"));
        throw new Error("in the middle");
      });
    expect(failing).toThrow("in the middle");
    expect(sink.keys).toContain("Namespace/d");
  });

  it("keeps statuses with their objects", async () => {
    const source = memorySource([namespace("a")]);
    await source.start(new RecordingSink());
    await source.writeStatuses([status("a"), status("b")]);
    expect([...source.statuses.keys()]).toEqual(["Namespace/a"]);
    source.delete("Namespace", "a");
    expect(source.statuses.size).toBe(0);
  });
});
