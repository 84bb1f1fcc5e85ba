/** What a provider of a cloud is made from: the data of a Secret, and settings. */
import { DnsError, type DnsProviderInputs, type DnsZone } from "../provider.ts";

/** The first of these keys of the Secret that holds something. */
export function requireCredential(
  { credentials }: Pick<DnsProviderInputs, "credentials">,
  ...keys: readonly [string, ...string[]]
): string {
  const value = findCredential(credentials, ...keys);
  if (value !== undefined) return value;
  throw new DnsError(`the Secret of credentials has no key ${keys.join(", nor ")}`, { isDenied: true });
}

export function findCredential(
  credentials: ReadonlyMap<string, string>,
  ...keys: readonly string[]
): string | undefined {
  for (const key of keys) {
    const value = credentials.get(key)?.trim();
    if (value) return value;
  }
  return undefined;
}

export function requireSetting(settings: DnsProviderInputs["settings"], name: string): string {
  const value = findSetting(settings, name);
  if (value !== undefined) return value;
  throw new DnsError(`the setting ${name} is missing`);
}

export function findSetting(settings: DnsProviderInputs["settings"], name: string): string | undefined {
  const value = Object.hasOwn(settings, name) ? settings[name]?.trim() : undefined;
  return value === "" ? undefined : value;
}

export function requireZoneId({ id }: DnsZone, what: string): string {
  if (id) return id;
  throw new DnsError(`the zone has no id: ${what}`);
}
