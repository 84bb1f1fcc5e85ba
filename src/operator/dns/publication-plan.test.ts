import { describe, expect, it } from "vitest";
import { renderMark } from "./ownership-mark.ts";
import type { RecordSet } from "./provider.ts";
import { planPublication, planRemoval } from "./publication-plan.ts";

describe("a plan", () => {
  const name = "www.example.com";
  const mark = renderMark(name, "here", "shop/r");
  const a = (...values: string[]): RecordSet => ({ name, type: "A", ttl: 30, values });
  const cname: RecordSet = { name, type: "CNAME", ttl: 30, values: ["lb.example.net"] };
  const facts = (found: readonly RecordSet[], wasPublished = false) => ({
    name,
    found,
    cluster: "here",
    wasPublished,
  });
  const shown = (changes: readonly { type: string; set: RecordSet }[]) =>
    changes.map(({ type, set }) => `${type} ${set.type}`);

  it("has the mark first when a name is published, what is of another type goes before, and nothing that stands is put again", () => {
    const plan = planPublication(facts([mark, cname]), { sets: [a("192.0.2.1")], mark });
    expect(plan.type === "changes" && shown(plan.changes)).toEqual(["remove CNAME", "put A"]);
    const fresh = planPublication(facts([]), { sets: [a("192.0.2.1")], mark });
    expect(fresh.type === "changes" && shown(fresh.changes)).toEqual(["put TXT", "put A"]);
    const same = planPublication(facts([mark, a("192.0.2.1")]), { sets: [a("192.0.2.1")], mark });
    expect(same).toEqual({ type: "changes", changes: [] });
  });

  it("leaves a name with texts of others alone, beside which there can be no CNAME", () => {
    const spf: RecordSet = { name, type: "TXT", ttl: 60, values: ["v=spf1 -all"] };
    expect(planPublication(facts([spf]), { sets: [cname], mark })).toMatchObject({ type: "taken" });
    expect(planPublication(facts([spf]), { sets: [a("192.0.2.1")], mark })).toMatchObject({
      type: "changes",
    });
  });

  it("has the mark last when a name is removed; without one only what was noted goes", () => {
    expect(shown(planRemoval(facts([mark, a("192.0.2.1")]), []))).toEqual(["remove A", "remove TXT"]);
    expect(shown(planRemoval(facts([a("192.0.2.1")], true), [a("192.0.2.1")]))).toEqual(["remove A"]);
    expect(planRemoval(facts([a("192.0.2.99")], true), [a("192.0.2.1")])).toEqual([]);
    expect(planRemoval(facts([a("192.0.2.1")]), [a("192.0.2.1")])).toEqual([]);
  });
});
