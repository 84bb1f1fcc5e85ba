import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeAuthority, openAuthority } from "./authority.ts";

const hour = 3600_000;
const day = 24 * hour;
/** Clocks differ; whatever is to have happened has, with this to spare. */
const spare = hour;

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-01-01T00:00:00Z") }));
afterEach(() => void vi.useRealTimers());

const pass = (time: number) => vi.setSystemTime(Date.now() + time);

describe("an authority that follows another", () => {
  it("has that one believed for as long as what it signed lasts, and no longer", async () => {
    const first = await makeAuthority();
    const second = await makeAuthority({ before: first.keeping });
    const both = second.keeping.certificate + first.keeping.certificate;
    expect(second.authorities).toBe(both);
    pass(day);
    expect(second.authorities).toBe(both);
    expect((await second.issueProxy("shop/web")).authorities).toBe(both);
    pass(spare);
    expect(second.authorities).toBe(second.keeping.certificate);
    expect((await second.issueProxy("shop/web")).authorities).toBe(second.keeping.certificate);
    expect((await openAuthority(second.keeping)).authorities).toBe(second.keeping.certificate);
  });

  it("does not have those before that one believed any longer", async () => {
    const first = await makeAuthority();
    const second = await makeAuthority({ before: first.keeping });
    pass(day - spare);
    const third = await makeAuthority({ before: second.keeping });
    const [a, b, c] = [first, second, third].map(({ keeping }) => keeping.certificate);
    expect(third.authorities).toBe(`${c}${b}${a}`);
    pass(2 * spare);
    expect(third.authorities).toBe(`${c}${b}`);
    expect((await makeAuthority({ before: third.keeping })).keeping.previous).toBe(`${c}${b}`);
    pass(day);
    expect(third.authorities).toBe(c);
  });

  it("says by when a certificate is to be renewed, so that the one before is forgotten in time", async () => {
    const first = await makeAuthority();
    expect((await first.issueServer()).renewBy).toBeUndefined();
    const second = await makeAuthority({ before: first.keeping });
    const { renewBy } = await second.issueServer();
    vi.setSystemTime(renewBy!);
    const renewed = await second.issueServer();
    expect(renewed.authorities).toBe(second.keeping.certificate);
    expect(renewed.renewBy).toBeUndefined();
  });
});
