/**
 * Alibaba Cloud DNS, public zones. A zone's id is its domain. It knows records, one at a time; free editions take no TTL below ten minutes, so that is the least unless the setting `minimumTTL` says
 * otherwise.
 */
import { DnsError, type DnsProvider, type DnsProviderInputs } from "../../provider.ts";
import { secretsOf } from "../failure.ts";
import { findSetting } from "../given.ts";
import { plainName } from "../record-values.ts";
import { singleRecordProvider } from "../single-records.ts";
import { createClient, type AliDnsEndpoint } from "./client.ts";
import { alibabaFailure } from "./failures.ts";
import { AlibabaZone, longestTtl } from "./zone.ts";

const usualMinimumTtl = 600;

export function createProvider(given: DnsProviderInputs, endpoint: AliDnsEndpoint = {}): DnsProvider {
  const secrets = secretsOf(
    ...["alibaba_access_key_id", "alibaba_access_key_secret", "alibaba_security_token"].map((key) =>
      given.credentials.get(key),
    ),
  );
  const minimumTtl = parseMinimumTtl(findSetting(given.settings, "minimumTTL"));
  const client = createClient(given, endpoint);
  return singleRecordProvider({
    name: "alibaba",
    maxChanges: 40,
    zoneIdIs: "the domain of a zone",
    failure: (doing, error) => alibabaFailure(doing, error, secrets),
    open: (id) => new AlibabaZone(client, plainName(id), minimumTtl),
  });
}

function parseMinimumTtl(text: string | undefined): number {
  if (text === undefined) return usualMinimumTtl;
  const seconds = Number(text);
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= longestTtl) return seconds;
  throw new DnsError(`the setting minimumTTL is ${text}, which is no number of seconds up to ${longestTtl}`);
}
