/**
 * Tokens of Microsoft Entra ID for an application: by its secret, or by a token of the Pod's service account that the application trusts. The answer is kept by the SDK, which
 * asks again before a token ends.
 */
import type { AccessToken, TokenCredential } from "@azure/core-auth";
import {
  createDefaultHttpClient,
  createHttpHeaders,
  createPipelineFromOptions,
  createPipelineRequest,
  type HttpClient,
} from "@azure/core-rest-pipeline";
import type { DnsProviderInputs } from "../../provider.ts";
import { findCredential, requireCredential } from "../given.ts";
import { readTokenFile } from "../token-file.ts";
import { AzureAnswer } from "./failures.ts";

export interface TokenOptions {
  readonly authority: string;
  readonly httpClient?: HttpClient | undefined;
}

export function tokenCredential(
  given: DnsProviderInputs,
  { authority, httpClient = createDefaultHttpClient() }: TokenOptions,
): TokenCredential {
  const tenant = requireCredential(given, "azure_tenant_id");
  const client = requireCredential(given, "azure_client_id");
  const tokenFile = findCredential(given.credentials, "azure_federated_token_file");
  const secret =
    tokenFile === undefined
      ? requireCredential(given, "azure_client_secret", "azure_federated_token_file")
      : findCredential(given.credentials, "azure_client_secret");
  const pipeline = createPipelineFromOptions({ retryOptions: { maxRetries: 2, retryDelayInMs: 500 } });
  const url = `${authority}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`;
  const proof = async (): Promise<Record<string, string>> => {
    if (secret !== undefined) return { client_secret: secret };
    return {
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: await readTokenFile(tokenFile ?? "", "azure_federated_token_file"),
    };
  };
  return {
    async getToken(scopes, { abortSignal } = {}): Promise<AccessToken> {
      const form = new URLSearchParams({
        grant_type: "client_credentials",
        client_id: client,
        scope: [scopes].flat().join(" "),
        ...(await proof()),
      });
      const request = createPipelineRequest({
        url,
        method: "POST",
        headers: createHttpHeaders({
          "content-type": "application/x-www-form-urlencoded",
          accept: "application/json",
        }),
        body: form.toString(),
        timeout: 60_000,
        ...(abortSignal && { abortSignal: abortSignal as AbortSignal }),
      });
      const { status, bodyAsText, headers } = await pipeline.sendRequest(httpClient, request);
      const answer = parseAnswer(bodyAsText);
      if (status !== 200 || !answer.access_token) {
        const message = answer.error_description ?? "no token was given";
        throw new AzureAnswer(message, {
          code: answer.error,
          statusCode: status,
          isDenied: status >= 400 && status < 500 && status !== 429,
          retryAfter: headers.get("retry-after"),
        });
      }
      const lifetime = Number(answer.expires_in ?? 0);
      return { token: answer.access_token, expiresOnTimestamp: Date.now() + lifetime * 1000 };
    },
  };
}

interface TokenAnswer {
  readonly access_token?: string;
  readonly expires_in?: number | string;
  readonly error?: string;
  readonly error_description?: string;
}

function parseAnswer(text: string | null | undefined): TokenAnswer {
  try {
    return (JSON.parse(text ?? "") as TokenAnswer | null) ?? {};
  } catch {
    return {};
  }
}
