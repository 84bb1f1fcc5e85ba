// Services in the kernel: destination NAT by nftables.
//
// One map leads from (address, protocol, port) to a chain per Service port, which picks an endpoint at random. A change
// is one transaction which touches only the ports that changed. NAT is decided by a connection's first packet, so
// connections that exist stay where they are. What is not in the map has no endpoint and is refused.

import { execFile, spawn } from "node:child_process";
import { onPath } from "../../../scripts/search.mjs";
import { hasIpv6, loadBalancers, services } from "../addresses.mjs";

const table = "gatewright_lab";
const families = {
  ipv4: { table: "ip", address: "ipv4_addr", ranges: `{ ${services.ipv4}, ${loadBalancers.ipv4} }` },
  ipv6: { table: "ip6", address: "ipv6_addr", ranges: `{ ${services.ipv6}, ${loadBalancers.ipv6} }` },
};

export function serviceTables() {
  const known = new Map(); // key → { port, chain }
  const freeChains = [];
  let chains = 0;
  let isMade = false;
  let queue = Promise.resolve();

  const apply = async (asked) => {
    const changes = new Map([...asked].filter(([key, port]) => !isSame(known.get(key)?.port, port)));
    if (changes.size === 0 && isMade) return;
    const before = new Map([...changes.keys()].map((key) => [key, known.get(key)]));
    for (const [key, port] of changes) {
      const chain = known.get(key)?.chain ?? (port ? (freeChains.shift() ?? `s${++chains}`) : undefined);
      if (port) known.set(key, { port, chain });
      else {
        known.delete(key);
        if (chain) freeChains.push(chain);
      }
    }
    try {
      const made = isMade
        ? ""
        : renderTables(Object.keys(families).filter((family) => family === "ipv4" || hasIpv6));
      const lines = [...before].flatMap(([key, previous]) => renderChange(previous, known.get(key)));
      await nft(made + lines.join("\n"));
    } catch (error) {
      console.error("nft:", error.message);
      // From the beginning, in one transaction too.
      const all = [...known.values()].flatMap((next) => renderChange(undefined, next));
      await nft(
        renderTables(Object.keys(families).filter((family) => family === "ipv4" || hasIpv6)) + all.join("\n"),
      );
    }
    isMade = true;
    await Promise.all(
      [...before.values()].flatMap((previous) => staleFlows(previous, known)).map(forgetFlow),
    );
  };

  return {
    /** changes: Map from key to a service port (services.mjs), or undefined for one that is gone. */
    update(changes) {
      // Compared when its turn comes: an earlier change may still be on its way.
      queue = queue.then(() => apply(changes)).catch((error) => console.error("nft:", error.message));
      return queue;
    },
  };
}

/** The tables without a Service; what was in them is gone. */
export function renderTables(names) {
  return names
    .map((name) => {
      const { table: family, address, ranges } = families[name];
      const word = family === "ip" ? "ip" : "ip6";
      const refuse = ["input", "forward", "output"].map(
        (hook) =>
          `  chain refuse_${hook} { type filter hook ${hook} priority 0; ` +
          `${word} daddr ${ranges} meta l4proto tcp reject with tcp reset; ${word} daddr ${ranges} reject; }`,
      );
      return [
        `table ${family} ${table} {}`,
        `delete table ${family} ${table}`,
        `table ${family} ${table} {`,
        `  map services { type ${address} . inet_proto . inet_service : verdict; }`,
        // A Pod that reaches itself through a Service needs another source address, or the answer stays within.
        `  set hairpin { type ${address} . ${address}; }`,
        `  chain translate { ${word} daddr . meta l4proto . th dport vmap @services; }`,
        "  chain prerouting { type nat hook prerouting priority -100; jump translate; }",
        "  chain output { type nat hook output priority -100; jump translate; }",
        `  chain postrouting { type nat hook postrouting priority 100; ${word} saddr . ${word} daddr @hairpin masquerade; }`,
        ...refuse,
        "}",
        "",
      ].join("\n");
    })
    .join("");
}

/** The commands from one state of a port to the next; either may be undefined. */
export function renderChange(previous, next) {
  const lines = [];
  const { port, chain } = next ?? previous ?? {};
  if (!port) return lines;
  const family = families[port.family];
  const at = (kind, name) => `${kind} ${family.table} ${table} ${name}`;
  const elements = ({ port: { addresses, protocol, port: number } }) =>
    addresses.map((address) => `${address} . ${protocol} . ${number}`);
  const before = new Set(previous ? elements(previous) : []);
  const after = new Set(next ? elements(next) : []);
  const gone = [...before].filter((element) => !after.has(element));
  if (gone.length > 0) lines.push(`delete ${at("element", "services")} { ${gone.join(", ")} }`);
  lines.push(`add ${at("chain", chain)}`, `flush ${at("chain", chain)}`);
  if (!next) return lines;
  lines.push(`add ${at("rule", chain)} meta l4proto ${port.protocol} ${renderTarget(port)}`);
  const pairs = port.targets.map(({ address }) => `${address} . ${address}`);
  lines.push(`add ${at("element", "hairpin")} { ${pairs.join(", ")} }`);
  const added = [...after].filter((element) => !before.has(element));
  if (added.length > 0) {
    lines.push(
      `add ${at("element", "services")} { ${added.map((element) => `${element} : goto ${chain}`).join(", ")} }`,
    );
  }
  return lines;
}

function renderTarget({ family, targets }) {
  const [first] = targets;
  if (targets.length === 1) {
    return `dnat to ${family === "ipv6" ? `[${first.address}]` : first.address}:${first.port}`;
  }
  const map = targets.map(({ address, port }, index) => `${index} : ${address} . ${port}`).join(", ");
  const word = family === "ipv6" ? "ip6" : "ip";
  return `dnat ${word} addr . port to numgen random mod ${targets.length} map { ${map} }`;
}

// UDP has no connections that end: a client that keeps its port would stay with an endpoint that is gone.
function staleFlows(previous, known) {
  if (previous?.port.protocol !== "udp") return [];
  const { key, targets, addresses, port } = previous.port;
  const now = known.get(key)?.port;
  const remains = (target) =>
    now?.targets.some(({ address, port: number }) => address === target.address && number === target.port);
  const removed = targets.filter((target) => !remains(target));
  return removed.flatMap((target) => addresses.map((address) => ({ address, port, target })));
}

function forgetFlow({ address, port, target }) {
  const args = [
    "-D",
    "-p",
    "udp",
    "--orig-dst",
    address,
    "--orig-port-dst",
    String(port),
    "--reply-src",
    target.address,
  ];
  return new Promise((resolve) => execFile(onPath("conntrack") ?? "conntrack", args, () => resolve()));
}

function nft(text) {
  return new Promise((resolve, reject) => {
    const child = spawn(onPath("nft"), ["-f", "-"], { stdio: ["pipe", "ignore", "pipe"] });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (piece) => (said += piece));
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(said.slice(0, 2000)))));
    child.stdin.end(`${text}\n`);
  });
}

function isSame(a, b) {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
