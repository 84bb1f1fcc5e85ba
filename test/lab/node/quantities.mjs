// Kubernetes quantities, "250m" or "64Mi", as numbers; and what a container sees of its own by resourceFieldRef.

const suffixes = new Map([
  ["n", 1e-9],
  ["u", 1e-6],
  ["m", 1e-3],
  ["", 1],
  ["k", 1e3],
  ["M", 1e6],
  ["G", 1e9],
  ["T", 1e12],
  ["Ki", 2 ** 10],
  ["Mi", 2 ** 20],
  ["Gi", 2 ** 30],
  ["Ti", 2 ** 40],
]);

export function parseQuantity(text) {
  const [, number, suffix] = /^([+-]?[0-9.]+(?:[eE][+-]?\d+)?)([a-zA-Z]*)$/.exec(String(text)) ?? [];
  const factor = suffixes.get(suffix ?? "");
  return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}

/** Of the node; what a container without a limit is told that it may have. */
export const capacity = { cpu: "64", memory: "64Gi", pods: "500", "ephemeral-storage": "64Gi" };

/** "limits.memory" of a container, in units of the divisor, rounded up. */
export function resourceField(container, { resource, divisor }) {
  const [list, name] = resource.split(/[.](.*)/s);
  const { limits = {}, requests = {} } = container.resources ?? {};
  const given = list === "limits" ? limits[name] : (requests[name] ?? limits[name]);
  const value = parseQuantity(given ?? (list === "limits" ? capacity[name] : "0")) ?? 0;
  const unit = parseQuantity(divisor ?? "1") || 1;
  // Thousandths and the like are not exact: 0.25 / 0.001 shall not become 251.
  return String(Math.ceil(Number((value / unit).toPrecision(12))));
}
