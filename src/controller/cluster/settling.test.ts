import { describe, expect, it, vi } from "vitest";
import { losesProxies, Settling } from "./settling.ts";

const condition = (status: string, reason = "Programmed", observedGeneration = 3, type = "Programmed") => ({
  type,
  status,
  reason,
  observedGeneration,
});
const gateway = (of: object, listener: object = condition("True")) => ({
  conditions: [{ type: "Accepted", status: "True" }, of],
  listeners: [{ name: "http", conditions: [listener] }],
});
const standing = gateway(condition("True"));

describe("whoever has just begun to lead", () => {
  it("takes nothing back because proxies have not answered yet", () => {
    for (const reason of ["Pending", "NoResources", "AddressNotAssigned"]) {
      expect(losesProxies(standing, gateway(condition("False", reason)))).toBe(true);
      expect(losesProxies(standing, gateway(condition("True"), condition("False", reason)))).toBe(true);
    }
  });

  it("takes back what a proxy refuses, what is of another generation, and what was not there", () => {
    expect(losesProxies(standing, gateway(condition("False", "Invalid")))).toBe(false);
    expect(losesProxies(standing, gateway(condition("False", "Pending", 4)))).toBe(false);
    expect(losesProxies(standing, standing)).toBe(false);
    expect(losesProxies({}, gateway(condition("False", "Pending")))).toBe(false);
    expect(losesProxies(gateway(condition("False", "Pending")), standing)).toBe(false);
    expect(
      losesProxies(gateway(condition("True", "", 3, "Other")), gateway(condition("False", "Pending"))),
    ).toBe(false);
    expect(losesProxies({ conditions: "x", listeners: [null, 1] }, { listeners: {} })).toBe(false);
  });

  it("does so for a short time only", () => {
    vi.useFakeTimers();
    const over = vi.fn<() => void>();
    const settling = new Settling(over, 1_000);
    const lost = gateway(condition("False", "Pending"));
    expect(settling.postpones(standing, lost)).toBe(false);
    settling.begin();
    expect(settling.postpones(standing, lost)).toBe(true);
    vi.advanceTimersByTime(999);
    expect(over).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(over).toHaveBeenCalledOnce();
    expect(settling.postpones(standing, lost)).toBe(false);
    settling.begin();
    settling.stop();
    expect(settling.postpones(standing, lost)).toBe(false);
    vi.advanceTimersByTime(5_000);
    expect(over).toHaveBeenCalledOnce();
    vi.useRealTimers();
  });
});
