/** Requests to IBM Cloud by the vendor's core SDK, which fetches tokens for an API key and keeps them. */
import { BaseService, IamAuthenticator } from "ibm-cloud-sdk-core";
import { requireCredential } from "../given.ts";
import type { DnsProviderInputs } from "../../provider.ts";

/** For tests. */
export interface IbmEndpoints {
  readonly internetServices: string;
  readonly dnsServices: string;
  readonly tokens?: string;
}

export const publicEndpoints: IbmEndpoints = {
  internetServices: "https://api.cis.cloud.ibm.com",
  dnsServices: "https://api.dns-svcs.cloud.ibm.com",
};

export const credentialKey = "ibmcloud_api_key";

const timeout = 60_000;

export interface IbmRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** With `{names}` of `path`. */
  readonly url: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
}

export class IbmClient extends BaseService {
  constructor(given: DnsProviderInputs, serviceUrl: string, tokens: string | undefined) {
    const forTokens = {
      apikey: requireCredential(given, credentialKey),
      timeout,
      ...(tokens !== undefined && { url: tokens }),
    };
    super({ authenticator: new IamAuthenticator(forTokens), serviceUrl, timeout });
    // `Retry-After` is waited for, up to so many seconds; without it, longer each time.
    this.enableRetries({ maxRetries: 2, maxRetryInterval: 10 });
  }

  async send({ method, url, path, query, body }: IbmRequest): Promise<unknown> {
    const answer: { readonly result?: unknown } = await this.createRequest({
      options: { method, url, path, ...(query && { qs: { ...query } }), ...(body !== undefined && { body }) },
      defaultOptions: {
        ...this.baseOptions,
        headers: { Accept: "application/json", "Content-Type": "application/json" },
      },
    });
    return answer.result;
  }
}
