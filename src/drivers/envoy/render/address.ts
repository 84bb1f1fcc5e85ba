import { isIP } from "node:net";
import type { Address } from "../generated/messages.ts";

export function socketAddress(address: string, port: number, protocol: "TCP" | "UDP" = "TCP"): Address {
  return {
    socketAddress: {
      protocol,
      address,
      portValue: port,
      // `::` stands for IPv4 too.
      ...(address === "::" ? { ipv4Compat: true } : {}),
    },
  };
}

export function isIpAddress(address: string): boolean {
  return isIP(address) !== 0;
}
