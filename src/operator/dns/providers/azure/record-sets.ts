/** The two services' record sets, which differ in little but their clients. */
import { DnsManagementClient } from "@azure/arm-dns";
import { PrivateDnsManagementClient } from "@azure/arm-privatedns";
import type { TokenCredential } from "@azure/core-auth";
import type { HttpClient } from "@azure/core-rest-pipeline";
import type { RecordSet } from "../../provider.ts";
import { checkAnswer } from "../answers.ts";
import { absoluteName, isRecordType, plainValue, type RecordType } from "../record-values.ts";
import { splitText } from "../txt-values.ts";
import type { AzureZone } from "./zone-id.ts";

/** As much of a record set as both services have. */
export interface AzureRecordSet {
  readonly name?: string;
  readonly type?: string;
  readonly etag?: string;
  readonly ttl?: number;
  readonly aRecords?: { ipv4Address?: string }[];
  readonly aaaaRecords?: { ipv6Address?: string }[];
  readonly cnameRecord?: { cname?: string };
  readonly txtRecords?: { value?: string[] }[];
}

interface Conditions {
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
}

export interface AzureRecordSets {
  /** In pages. */
  list(): AsyncIterable<readonly AzureRecordSet[]>;
  get(type: RecordType, relative: string): Promise<AzureRecordSet>;
  put(type: RecordType, relative: string, set: AzureRecordSet, conditions: Conditions): Promise<unknown>;
  remove(type: RecordType, relative: string, conditions: Conditions): Promise<unknown>;
}

export interface AzureClientOptions {
  readonly endpoint: string;
  readonly credential: TokenCredential;
  readonly httpClient?: HttpClient | undefined;
}

export function recordSetsOf(
  { subscription, resourceGroup, domain, isPrivate }: AzureZone,
  { endpoint, credential, httpClient }: AzureClientOptions,
  abortSignal: AbortSignal,
): AzureRecordSets {
  const options = {
    endpoint,
    // `Retry-After` is waited for; without it, longer each time.
    retryOptions: { maxRetries: 2, retryDelayInMs: 500, maxRetryDelayInMs: 8_000 },
    ...(httpClient && { httpClient }),
  };
  const common = {
    abortSignal,
    requestOptions: { timeout: 60_000 },
    onResponse: ({ headers }: { readonly headers: { get(name: string): string | undefined } }) =>
      checkAnswer(!headers.get("content-type")?.includes("html")),
  };
  if (isPrivate) {
    const { recordSets } = new PrivateDnsManagementClient(credential, subscription, options);
    return {
      list: () => recordSets.list(resourceGroup, domain, common).byPage(),
      get: (type, relative) => recordSets.get(resourceGroup, domain, type, relative, common),
      put: (type, relative, set, conditions) =>
        recordSets.createOrUpdate(resourceGroup, domain, type, relative, set, { ...common, ...conditions }),
      remove: (type, relative, conditions) =>
        recordSets.delete(resourceGroup, domain, type, relative, { ...common, ...conditions }),
    };
  }
  const { recordSets } = new DnsManagementClient(credential, subscription, options);
  return {
    list: () => recordSets.listByDnsZone(resourceGroup, domain, common).byPage(),
    get: (type, relative) => recordSets.get(resourceGroup, domain, relative, type, common),
    put: (type, relative, set, conditions) =>
      recordSets.createOrUpdate(resourceGroup, domain, relative, type, set, { ...common, ...conditions }),
    remove: (type, relative, conditions) =>
      recordSets.delete(resourceGroup, domain, relative, type, { ...common, ...conditions }),
  };
}

/** Undefined: it is of a type that is none of ours. One that leads to a resource of Azure has no values of its own. */
export function plainSet(found: AzureRecordSet, domain: string): RecordSet | undefined {
  const type = found.type?.slice(found.type.lastIndexOf("/") + 1);
  if (!isRecordType(type)) return undefined;
  return {
    name: absoluteName(found.name ?? "", domain),
    type,
    ttl: found.ttl ?? 0,
    values: valuesOf(found, type),
  };
}

/** Each in the one way to write it. */
function valuesOf(found: AzureRecordSet, type: RecordType): readonly string[] {
  return originalValues(found, type).map((value) => plainValue(type, value));
}

function originalValues(
  { aRecords, aaaaRecords, cnameRecord, txtRecords }: AzureRecordSet,
  type: RecordType,
) {
  switch (type) {
    case "A":
      return (aRecords ?? []).map(({ ipv4Address = "" }) => ipv4Address);
    case "AAAA":
      return (aaaaRecords ?? []).map(({ ipv6Address = "" }) => ipv6Address);
    case "CNAME":
      return cnameRecord?.cname === undefined ? [] : [cnameRecord.cname];
    case "TXT":
      return (txtRecords ?? []).map(({ value = [] }) => value.join(""));
  }
}

export function renderSet({ type, ttl, values }: RecordSet): AzureRecordSet {
  switch (type) {
    case "A":
      return { ttl, aRecords: values.map((ipv4Address) => ({ ipv4Address })) };
    case "AAAA":
      return { ttl, aaaaRecords: values.map((ipv6Address) => ({ ipv6Address })) };
    case "CNAME":
      return { ttl, cnameRecord: { cname: values[0] ?? "" } };
    case "TXT":
      return { ttl, txtRecords: values.map((text) => ({ value: [...splitText(text)] })) };
  }
}
