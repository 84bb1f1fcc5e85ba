/** The SDK's client: a service account's key, or the description of an identity that Google trusts (workload identity federation). */
import { DNS } from "@google-cloud/dns";
import { DnsError, type DnsProviderInputs } from "../../provider.ts";
import { requireCredential } from "../given.ts";

const credentialKey = "service_account.json";
const kinds: ReadonlySet<unknown> = new Set(["service_account", "external_account"]);
const mostRetries = 2;
const timeout = 60_000;

/** Fields of the key as Google has them. */
export type GoogleCredentials = Readonly<Record<string, unknown>> & { readonly type: string };

export function credentialsOf(given: DnsProviderInputs): GoogleCredentials {
  const text = requireCredential(given, credentialKey);
  const parsed = parseObject(text);
  if (!parsed || !kinds.has(parsed["type"])) {
    throw new DnsError(
      `key ${credentialKey} of the Secret of credentials is not the JSON of a service_account or an external_account`,
      { isDenied: true },
    );
  }
  return parsed as GoogleCredentials;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

export interface ClientOptions {
  readonly credentials: GoogleCredentials;
  readonly project: string;
  /** For tests: where a request goes instead. */
  readonly redirect?: ((url: string) => string) | undefined;
}

export async function createClient({ credentials, project, redirect }: ClientOptions): Promise<DNS> {
  const dns = new DNS({ projectId: project, credentials });
  dns.timeout = timeout;
  dns.interceptors.push({
    request: (options) => {
      const uri = String("uri" in options ? options.uri : options.url);
      // Between the tries the SDK waits longer each time.
      return { ...options, maxRetries: mostRetries, uri: redirect ? redirect(uri) : uri };
    },
  });
  const { transporter } = await dns.authClient.getClient();
  transporter.defaults.timeout = timeout;
  if (redirect) {
    transporter.interceptors.request.add({
      resolved: async (options) => ({ ...options, url: new URL(redirect(options.url.href)) }),
    });
  }
  return dns;
}
