/** What the SDK's clients are made with: keys of the Secret, or a role that a token of the Pod's service account may take on. */
import { fromWebToken } from "@aws-sdk/credential-provider-web-identity";
import type { Route53ClientConfig } from "@aws-sdk/client-route-53";
import type { DnsProviderInputs } from "../../provider.ts";
import { findCredential, requireCredential, requireSetting } from "../given.ts";
import { readTokenFile } from "../token-file.ts";

/** For tests: elsewhere the SDK knows them by the region. */
export interface AwsEndpoints {
  readonly route53?: string;
  readonly loadBalancing?: string;
  readonly tokens?: string;
}

/** The part of a client's configuration that all clients share. */
export type ClientConfig = Pick<
  Route53ClientConfig,
  "region" | "credentials" | "maxAttempts" | "retryMode" | "requestHandler"
> & { readonly endpoint?: string };

const timeouts = { connectionTimeout: 10_000, requestTimeout: 60_000 };

type Credentials = NonNullable<Route53ClientConfig["credentials"]>;

export function clientConfig(
  given: DnsProviderInputs,
  endpoint: string | undefined,
  endpoints: AwsEndpoints,
): ClientConfig {
  return {
    region: requireSetting(given.settings, "region"),
    credentials: credentialsOf(given, endpoints),
    // Asked too often, the SDK waits longer each time and asks less often from then on. What still fails is for the caller to try again.
    maxAttempts: 3,
    retryMode: "adaptive",
    requestHandler: timeouts,
    ...(endpoint !== undefined && { endpoint }),
  };
}

/** Never those of the machine, whatever the SDK would find there: wrong ones are to be told, not to be replaced. */
function credentialsOf(given: DnsProviderInputs, { tokens }: AwsEndpoints): Credentials {
  const file = findCredential(given.credentials, "credentials");
  const profile = file === undefined ? new Map<string, string>() : defaultProfile(file);
  const role = profile.get("role_arn");
  const tokenFile = profile.get("web_identity_token_file");
  if (role !== undefined && tokenFile !== undefined)
    return assumedRole(given, { role, tokenFile, endpoint: tokens });
  const keys = new Map([...profile, ...given.credentials]);
  const sessionToken = findCredential(keys, "aws_session_token");
  return {
    accessKeyId: requireCredential({ credentials: keys }, "aws_access_key_id"),
    secretAccessKey: requireCredential({ credentials: keys }, "aws_secret_access_key"),
    ...(sessionToken !== undefined && { sessionToken }),
  };
}

function assumedRole(
  { settings }: DnsProviderInputs,
  {
    role,
    tokenFile,
    endpoint,
  }: { readonly role: string; readonly tokenFile: string; readonly endpoint: string | undefined },
): Credentials {
  return async () => {
    const provider = fromWebToken({
      roleArn: role,
      webIdentityToken: await readTokenFile(tokenFile, "web_identity_token_file"),
      roleSessionName: "gatewright-dns",
      clientConfig: {
        region: requireSetting(settings, "region"),
        maxAttempts: 3,
        requestHandler: timeouts,
        ...(endpoint !== undefined && { endpoint }),
      },
    });
    return provider();
  };
}

/** Of a shared credentials file, as the AWS CLI has it. */
function defaultProfile(text: string): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  let section = "default";
  for (const line of text.split("\n")) {
    const [, name] = /^\s*\[\s*(?:profile\s+)?([^\]]+?)\s*\]/.exec(line) ?? [];
    const [, key, value] = /^\s*([a-z_]+)\s*=\s*(\S.*?)\s*$/.exec(line) ?? [];
    if (name !== undefined) section = name;
    else if (section === "default" && key !== undefined && value !== undefined) entries.set(key, value);
  }
  return entries;
}
