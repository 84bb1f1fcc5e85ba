import type { Driver } from "../../../src/drivers/index.ts";
import type { ModelChanges, VirtualHost } from "../../../src/model/index.ts";

/** The host that clients of the contract's cases ask for unless a case says otherwise. */
const host = "site.test";

/**
 * A driver that gets every virtual host for all hosts a second time, for one exact host, unless a case has that host itself. To clients it is the
 * same, but a proxy may well find its way to the rules differently.
 */
export function withExactHost(driver: Driver): Driver {
  const own = new Set<string>();
  return {
    name: driver.name,
    features: driver.features,
    start: (report) => driver.start(report),
    stop: () => driver.stop(),
    apply: (changes) => driver.apply({ ...changes, virtualHosts: twice(changes.virtualHosts, own) }),
  };
}

function twice(
  changes: ModelChanges["virtualHosts"],
  own: Set<string>,
): ReadonlyMap<string, VirtualHost | undefined> {
  const all = new Map(changes);
  for (const [key, item] of changes) if (item?.hostname === host) own.add(key);
  for (const [key, item] of changes) {
    if (!key.endsWith("|*")) continue;
    const second = `${key.slice(0, -1)}${host}`;
    if (!own.has(second)) all.set(second, item && { ...item, key: second, hostname: host });
  }
  return all;
}
