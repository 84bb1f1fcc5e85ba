// The cluster's DNS: names of Services (and of Pods behind headless ones). Every other name does not exist in the lab.

import { createSocket } from "node:dgram";
import { createServer } from "node:net";
import { node } from "../addresses.mjs";
import { parseQuery, renderAnswer, types } from "./dns-message.mjs";

const suffix = ".svc.cluster.local";

/** The records of a name, by a follower of Services (services.mjs): [] if it has none of that type, undefined if there is no such name. */
export function lookUp(services, name, type) {
  if (!name.endsWith(suffix)) return undefined;
  const labels = name.slice(0, -suffix.length).split(".");
  const [serviceName, namespace] = labels.slice(-2);
  const service = services.service(`${namespace}/${serviceName}`);
  if (!service || labels.length < 2) return undefined;
  const { spec } = service;
  const before = labels.slice(0, -2);
  if (spec.type === "ExternalName") return [{ type: "CNAME", data: spec.externalName }];
  const isHeadless = spec.clusterIP === "None";
  const endpoints = isHeadless
    ? ["IPv4", "IPv6"].flatMap((family) => services.endpoints(`${namespace}/${serviceName}`, family))
    : [];

  if (before.length === 2 && before.every((label) => label.startsWith("_"))) {
    const [portName, protocol] = before.map((label) => label.slice(1));
    const port = (spec.ports ?? []).find(
      (one) => one.name === portName && (one.protocol ?? "TCP").toLowerCase() === protocol,
    );
    if (!port) return undefined;
    const target = `${serviceName}.${namespace}${suffix}`;
    return type === types.SRV ? [{ type: "SRV", data: { port: port.port, target } }] : [];
  }
  const own = isHeadless
    ? endpoints.filter(({ hostname }) => before.length === 0 || hostname === before[0])
    : [];
  if (before.length > 1 || (before.length === 1 && own.length === 0)) return undefined;
  const addresses = isHeadless ? own.map(({ address }) => address) : (spec.clusterIPs ?? [spec.clusterIP]);
  const isWanted = (address) =>
    type === types.AAAA ? address.includes(":") : type === types.A && !address.includes(":");
  const kind = type === types.AAAA ? "AAAA" : "A";
  return [...new Set(addresses)].filter(isWanted).map((data) => ({ type: kind, data }));
}

export async function startDns(services) {
  const answer = (message) => {
    const query = parseQuery(message);
    return query && renderAnswer(query, lookUp(services, query.name, query.type));
  };
  const socket = createSocket("udp4", (message, from) => {
    const reply = answer(message);
    if (reply) socket.send(reply, from.port, from.address);
  });
  // Over TCP each message has its length before it.
  const server = createServer((connection) => {
    let data = Buffer.alloc(0);
    connection
      .on("error", () => {})
      .on("data", (chunk) => {
        data = Buffer.concat([data, chunk]);
        while (data.length >= 2 && data.length >= 2 + data.readUInt16BE(0)) {
          const end = 2 + data.readUInt16BE(0);
          const reply = answer(data.subarray(2, end));
          data = data.subarray(end);
          if (!reply) return connection.destroy();
          const length = Buffer.alloc(2);
          length.writeUInt16BE(reply.length);
          connection.write(Buffer.concat([length, reply]));
        }
        return undefined;
      });
  });
  await new Promise((resolve, reject) => socket.once("error", reject).bind(53, node.ipv4, resolve));
  await new Promise((resolve, reject) => server.once("error", reject).listen(53, node.ipv4, resolve));
}
