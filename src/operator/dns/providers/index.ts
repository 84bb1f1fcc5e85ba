/** The providers. Each is loaded when it is chosen, and its SDK with it; the SDKs are optional dependencies, so they may not be there. */
import { DnsError, type DnsProviderModule } from "../provider.ts";

interface ProviderRow {
  readonly load: () => Promise<DnsProviderModule>;
  /** The vendor's packages that it needs. */
  readonly packages?: readonly string[];
}

const providers: Readonly<Record<string, ProviderRow>> = {
  alibaba: {
    load: () => import("./alibaba/index.ts"),
    packages: ["@alicloud/alidns20150109", "@alicloud/openapi-core"],
  },
  aws: {
    load: () => import("./aws/index.ts"),
    packages: [
      "@aws-sdk/client-route-53",
      "@aws-sdk/client-elastic-load-balancing",
      "@aws-sdk/client-elastic-load-balancing-v2",
      "@aws-sdk/credential-provider-web-identity",
    ],
  },
  azure: {
    load: () => import("./azure/index.ts"),
    packages: ["@azure/arm-dns", "@azure/arm-privatedns", "@azure/core-auth", "@azure/core-rest-pipeline"],
  },
  google: { load: () => import("./google/index.ts"), packages: ["@google-cloud/dns"] },
  ibm: { load: () => import("./ibm/index.ts"), packages: ["ibm-cloud-sdk-core"] },
  rfc2136: { load: () => import("./rfc2136/index.ts") },
};

/** Undefined: there is none of that name. */
export function loadProvider(name: string, rows = providers): Promise<DnsProviderModule> | undefined {
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
  return row && loadRow(name, row);
}

async function loadRow(name: string, { load, packages = [] }: ProviderRow): Promise<DnsProviderModule> {
  try {
    return await load();
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_MODULE_NOT_FOUND" || packages.length === 0) throw error;
    throw new DnsError(
      `the DNS provider ${name} needs packages that are not installed: npm install ${packages.join(" ")}`,
      { cause: error },
    );
  }
}
