// As much of Azure's management API as zones need, by Microsoft's description of Microsoft.Network/dnsZones (2018-05-01) and /privateDnsZones (2020-06-01), and of the tokens of
// Entra ID. A request for https://HOST/PATH comes in as /HOST/PATH.

import { createDefaultHttpClient, type HttpClient } from "@azure/core-rest-pipeline";
import { startStandIn, type StandIn, type StandInAnswer, type StandInRequest } from "../http-stand-in.ts";

export interface AzureStandIn extends StandIn {
  readonly httpClient: HttpClient;
}

export interface AzureAccount {
  readonly tenant: string;
  readonly client: string;
  readonly secret: string;
  readonly federatedToken: string;
  /** Resource ids of zones. */
  readonly zones: readonly string[];
  readonly pageSize: number;
}

interface Standing {
  readonly etag: string;
  readonly name: string;
  readonly type: string;
  readonly properties: unknown;
}

const zonePath =
  /^\/management[.]azure[.]com(\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft[.]Network\/(dnsZones|privateDnsZones)\/([^/]+))\/(.+)$/;
const versions: Readonly<Record<string, string>> = { dnsZones: "2018-05-01", privateDnsZones: "2020-06-01" };
const listings: Readonly<Record<string, string>> = { dnsZones: "recordsets", privateDnsZones: "ALL" };

export async function startAzure(account: AzureAccount): Promise<AzureStandIn> {
  const zones = new Map(account.zones.map((id) => [id, new Map<string, Standing>()]));
  const token = "eyJ0.token-of-the-stand-in.sig";
  let changes = 0;
  const standIn = await startStandIn((request) => {
    if (request.path === `/login.microsoftonline.com/${account.tenant}/oauth2/v2.0/token`)
      return giveToken(request);
    if (request.headers.authorization !== `Bearer ${token}`)
      return refusal(401, "InvalidAuthenticationToken", "The access token is invalid.");
    return serve(request);
  });
  const direct = createDefaultHttpClient();
  const httpClient: HttpClient = {
    async sendRequest(request) {
      const asked = request.url;
      const { host, pathname, search } = new URL(asked);
      request.url = `${standIn.url}/${host}${pathname}${search}`;
      request.allowInsecureConnection = true;
      try {
        return await direct.sendRequest(request);
      } finally {
        // The SDK sends it again if it is to be tried again.
        request.url = asked;
      }
    },
  };
  return { ...standIn, httpClient };

  function giveToken({ body }: StandInRequest): StandInAnswer {
    const form = new URLSearchParams(String(body));
    const isKnown =
      form.get("client_id") === account.client &&
      form.get("grant_type") === "client_credentials" &&
      form.get("scope") === "https://management.azure.com/.default";
    const hasProof =
      form.get("client_secret") === account.secret ||
      (form.get("client_assertion") === account.federatedToken &&
        form.get("client_assertion_type") === "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    if (isKnown && hasProof) {
      return { body: { token_type: "Bearer", expires_in: 3599, ext_expires_in: 3599, access_token: token } };
    }
    return {
      status: 401,
      body: {
        error: "invalid_client",
        error_description: `AADSTS7000215: Invalid client secret provided: ${form.get("client_secret")}.`,
        error_codes: [7000215],
      },
    };
  }

  function serve({ method, path, query, headers, body }: StandInRequest): StandInAnswer {
    const [, id = "", kind = "", domain = "", rest = ""] = zonePath.exec(path) ?? [];
    if (query.get("api-version") !== versions[kind])
      return refusal(400, "InvalidApiVersionParameter", "The api-version is not supported.");
    const sets = zones.get(id);
    const [type = "", relative] = rest.split("/");
    if (!sets) {
      const code = relative === undefined ? "ResourceNotFound" : "ParentResourceNotFound";
      return refusal(404, code, `The Resource '${kind}/${domain}' was not found.`);
    }
    if (relative === undefined) {
      if (method !== "GET" || type !== listings[kind])
        return refusal(404, "InvalidResourceType", "Not found.");
      return list(id, [...sets.values()], query);
    }
    const key = `${relative.toLowerCase()} ${type}`;
    const before = sets.get(key);
    const { "if-match": match, "if-none-match": noneMatch } = headers;
    const isUnmet = (match !== undefined && match !== before?.etag) || (noneMatch === "*" && before);
    const changed =
      "The condition '*' in the If-None-Match header was not satisfied, or the etag is another.";
    switch (method) {
      case "GET":
        return before
          ? { body: describe(id, before) }
          : refusal(404, "NotFound", `The resource record '${relative}' does not exist in zone '${domain}'.`);
      case "PUT": {
        if (isUnmet) return refusal(412, "PreconditionFailed", changed);
        const others = [...sets.values()].filter((set) => set.name === relative && set.type !== type);
        if (others.some((other) => type === "CNAME" || other.type === "CNAME"))
          return refusal(
            400,
            "BadRequest",
            `A CNAME record cannot coexist with another record with the same name.`,
          );
        const { properties } = body as { properties: unknown };
        const standing = { etag: `etag-${++changes}`, name: relative, type, properties };
        sets.set(key, standing);
        return { status: before ? 200 : 201, body: describe(id, standing) };
      }
      case "DELETE":
        if (before && isUnmet) return refusal(412, "PreconditionFailed", changed);
        return { status: sets.delete(key) ? 200 : 204 };
      default:
        return refusal(405, "MethodNotAllowed", "Not allowed.");
    }
  }

  function list(id: string, all: readonly Standing[], query: URLSearchParams): StandInAnswer {
    const start = Number(query.get("$skipToken") ?? 0);
    const end = start + account.pageSize;
    const kind = id.split("/").at(-2) ?? "";
    const more = `https://management.azure.com${id}/${listings[kind]}?api-version=${versions[kind]}&$skipToken=${end}`;
    return {
      body: {
        value: all.slice(start, end).map((set) => describe(id, set)),
        ...(end < all.length && { nextLink: more }),
      },
    };
  }
}

function describe(zone: string, { etag, name, type, properties }: Standing): unknown {
  const id = `${zone}/${type}/${name}`;
  return { id, name, type: `Microsoft.Network/${zone.split("/").at(-2)}/${type}`, etag, properties };
}

function refusal(status: number, code: string, message: string): StandInAnswer {
  return { status, body: { error: { code, message } } };
}
