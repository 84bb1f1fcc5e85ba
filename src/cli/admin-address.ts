import { isIP } from "node:net";
import { defaultAdminAddress, type AdminAddress } from "../controller/names/index.ts";

export type ReadAdminAddress =
  | { readonly outcome: "address"; readonly address: AdminAddress }
  | { readonly outcome: "off" }
  | { readonly outcome: "malformed"; readonly message: string };

export const defaultAdmin = formatAdminAddress(defaultAdminAddress);

/** `127.0.0.1:19000`, `[::1]:19000`, `localhost:19000`, `19000` or `off`. */
export function readAdminAddress(text: string): ReadAdminAddress {
  if (text === "off") return { outcome: "off" };
  const parts = /^(?:(?:\[(?<v6>[^\]]+)\]|(?<name>[^:[\]]*)):)?(?<port>[0-9]{1,5})$/.exec(text)?.groups;
  const port = Number(parts?.["port"]);
  const host = parts?.["v6"] ?? (parts?.["name"] || defaultAdminAddress.address);
  const address = host === "localhost" ? defaultAdminAddress.address : host;
  if (!parts || port > 65_535 || isIP(address) === 0) {
    return { outcome: "malformed", message: `--admin ${text}: write ADDRESS:PORT, such as ${defaultAdmin}` };
  }
  return { outcome: "address", address: { address, port } };
}

export function formatAdminAddress({ address, port }: AdminAddress): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}
