/** The SDK's client, with what it does when it is asked to come back later. */
import * as alidns from "@alicloud/alidns20150109";
import { $OpenApiUtil } from "@alicloud/openapi-core";
import type { DnsProviderInputs } from "../../provider.ts";
import { findCredential, findSetting, requireCredential } from "../given.ts";

// The package is CommonJS: what it exports by default is the one or the other, by who loads it.
const exported = alidns.default as typeof alidns.default | { readonly default: typeof alidns.default };
const Client = ("default" in exported ? exported.default : exported) as unknown as new (
  config: $OpenApiUtil.Config,
) => AliDnsClient;

/** As much of the SDK's client as is used. */
export interface AliDnsClient {
  describeDomainRecords(
    request: alidns.DescribeDomainRecordsRequest,
  ): Promise<alidns.DescribeDomainRecordsResponse>;
  describeSubDomainRecords(
    request: alidns.DescribeSubDomainRecordsRequest,
  ): Promise<alidns.DescribeSubDomainRecordsResponse>;
  addDomainRecord(request: alidns.AddDomainRecordRequest): Promise<ChangeAnswer>;
  updateDomainRecord(request: alidns.UpdateDomainRecordRequest): Promise<ChangeAnswer>;
  deleteDomainRecord(request: alidns.DeleteDomainRecordRequest): Promise<ChangeAnswer>;
}

export interface ChangeAnswer {
  readonly body?: { readonly requestId?: string };
}

/** For tests: `127.0.0.1:8080`, without TLS. */
export interface AliDnsEndpoint {
  readonly plainEndpoint?: string;
}

const mostTries = 3;
const firstDelay = 500;
const longestDelay = 10_000;

export function createClient(given: DnsProviderInputs, { plainEndpoint }: AliDnsEndpoint): AliDnsClient {
  const securityToken = findCredential(given.credentials, "alibaba_security_token");
  const config = new $OpenApiUtil.Config({
    accessKeyId: requireCredential(given, "alibaba_access_key_id"),
    accessKeySecret: requireCredential(given, "alibaba_access_key_secret"),
    ...(securityToken !== undefined && { securityToken }),
    regionId: findSetting(given.settings, "region") ?? "cn-hangzhou",
    connectTimeout: 10_000,
    readTimeout: 60_000,
    ...(plainEndpoint !== undefined && { endpoint: plainEndpoint, protocol: "HTTP" }),
  });
  // The time that Alibaba Cloud names is waited for; without it, twice as long each time.
  const condition = {
    maxAttempts: mostTries,
    maxDelay: longestDelay,
    exception: ["ThrottlingError", "ServerError"],
    errorCode: [],
    backoff: {
      policy: "Exponential",
      getDelayTime: ({ retriesAttempted }: { readonly retriesAttempted: number }) =>
        firstDelay * 2 ** (retriesAttempted - 1),
    },
  };
  config.retryOptions = { retryable: true, retryCondition: [condition], noRetryCondition: [] };
  return new Client(config);
}
