/** What the provider is told: `server` and a zone's own, and the key from the Secret. */
import { isIPv6 } from "node:net";
import { DnsError, type DnsProviderInputs, type DnsZone } from "../../provider.ts";
import { algorithms, type Algorithm, type TsigKey } from "./tsig.ts";
import type { ServerAddress } from "./server-connection.ts";

const usualPort = 53;

/** A zone can have a server of its own, such as the private view's, by its tag `server`. */
export function serverOf({ tags = {} }: DnsZone, settings: DnsProviderInputs["settings"]): ServerAddress {
  const text = Object.hasOwn(tags, "server") ? tags["server"] : settings["server"];
  if (text === undefined) throw new DnsError("there is no server: say one in settings.server");
  const { host, port } = parseAddress(text);
  const isPort = Number.isInteger(port) && port > 0 && port < 65_536;
  if (!isPort || host === "") throw new DnsError(`settings.server: ${text} is no host:port`);
  return { host, port };
}

function parseAddress(text: string): ServerAddress {
  if (isIPv6(text)) return { host: text, port: usualPort };
  const [, bracketed, plain = "", port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  return { host: bracketed ?? plain, port: port === undefined ? usualPort : Number(port) };
}

/** Undefined without a Secret: then the server must know us by our address. */
export function keyOf(credentials: DnsProviderInputs["credentials"]): TsigKey | undefined {
  if (credentials.size === 0) return undefined;
  const name = credentials.get("keyName")?.trim().replace(/[.]$/, "");
  const secret = credentials.get("secret")?.trim();
  if (!name || !secret) throw new DnsError("keyName and secret must both be there", { isDenied: true });
  const algorithm = credentials.get("algorithm")?.trim().toLowerCase().replace(/[.]$/, "") ?? "hmac-sha256";
  if (!isAlgorithm(algorithm)) {
    throw new DnsError(`algorithm must be one of ${algorithms.join(", ")}`, { isDenied: true });
  }
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(secret)) {
    throw new DnsError("secret must be in base64, as tsig-keygen writes it", { isDenied: true });
  }
  return { name, algorithm, secret: Buffer.from(secret, "base64") };
}

function isAlgorithm(text: string): text is Algorithm {
  return (algorithms as readonly string[]).includes(text);
}
