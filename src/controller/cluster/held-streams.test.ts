import { describe, expect, it, vi } from "vitest";
import type { ChannelStream } from "../../channel/index.ts";
import { HeldStreams } from "./held-streams.ts";

function setUp() {
  const held = new HeldStreams();
  const open = vi.fn<(stream: ChannelStream) => void>();
  const service = held.hold({ path: "/a/b", open });
  const connect = (gateway: string) => {
    const stream = { send: vi.fn<() => void>(), close: vi.fn<() => void>(), listen: vi.fn<() => void>() };
    service.open(stream, { gateway, peer: "10.0.0.1:1" });
    return stream;
  };
  return { held, open, connect };
}

describe("HeldStreams", () => {
  it("lets a Gateway's proxies in when it has something to tell, and only those", () => {
    const { held, open, connect } = setUp();
    const [first, other, second] = [connect("shop/web"), connect("shop/other"), connect("shop/web")];
    expect(open).not.toHaveBeenCalled();
    held.admit("shop/web");
    held.admit("shop/web");
    expect(open.mock.calls.map(([stream]) => stream)).toEqual([first, second]);
    const third = connect("shop/web");
    expect(open.mock.calls.at(-1)?.[0]).toBe(third);
    held.stopAdmitting("shop/web");
    connect("shop/web");
    expect(open).toHaveBeenCalledTimes(3);
    expect(other.close).not.toHaveBeenCalled();
    for (const stream of [first, other]) expect(stream.listen).not.toHaveBeenCalled();
  });

  it("sends those away whose Gateway does not come to be known", () => {
    vi.useFakeTimers();
    const { held, open, connect } = setUp();
    const stream = connect("shop/gone");
    vi.advanceTimersByTime(30_000);
    expect(stream.close).toHaveBeenCalledOnce();
    held.admit("shop/gone");
    expect(open).not.toHaveBeenCalled();
    vi.useRealTimers();
  });
});
