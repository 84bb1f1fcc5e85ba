// As much of IBM Cloud as records need, by IBM's descriptions of Internet Services (/cis), DNS Services (/dns-svcs) and of tokens for API keys (/iam).

import { startStandIn, type StandIn, type StandInAnswer, type StandInRequest } from "../http-stand-in.ts";

export interface IbmStandIn extends StandIn {
  readonly endpoints: {
    readonly internetServices: string;
    readonly dnsServices: string;
    readonly tokens: string;
  };
}

export interface IbmAccount {
  readonly apiKey: string;
  readonly cisInstance: string;
  readonly cisZones: readonly string[];
  readonly dnsInstance: string;
  readonly dnsZones: readonly string[];
}

interface CisRecord {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly content: string;
  readonly ttl: number;
}

interface CisBatch {
  readonly deletes?: readonly { id: string }[];
  readonly puts?: readonly CisRecord[];
  readonly posts?: readonly Omit<CisRecord, "id">[];
}

interface ResourceRecord {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly rdata: unknown;
}

const cisPath = /^\/cis\/v1\/([^/]+(?:\/[^/]+)?)\/zones\/([^/]+)\/dns_records(?:\/(batch))?$/;
const dnsPath = /^\/dns-svcs\/v1\/instances\/([^/]+)\/dnszones\/([^/]+)\/resource_records(?:\/([^/]+))?$/;
const dnsTtls: ReadonlySet<unknown> = new Set([60, 120, 300, 600, 900, 1800, 3600, 7200, 18_000, 43_200]);

export async function startIbm(account: IbmAccount): Promise<IbmStandIn> {
  const cisZones = new Map(account.cisZones.map((id) => [id, new Map<string, CisRecord>()]));
  const dnsZones = new Map(account.dnsZones.map((id) => [id, new Map<string, ResourceRecord>()]));
  let made = 0;
  const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString("base64url");
  const seconds = Math.floor(Date.now() / 1000);
  const token = `${encode({ alg: "none" })}.${encode({ iat: seconds, exp: seconds + 3600 })}.signature`;
  const standIn = await startStandIn((request) => {
    if (request.path === "/iam/identity/token") return giveToken(request);
    if (request.headers.authorization !== `Bearer ${token}`)
      return { status: 401, body: { errors: [{ code: "unauthorized", message: "The token is invalid." }] } };
    const [, crn, cisZone, batch] = cisPath.exec(request.path) ?? [];
    if (crn === account.cisInstance) {
      const records = cisZones.get(cisZone ?? "");
      if (!records) return cisRefusal(404, 1001, "Invalid zone identifier");
      return batch ? changeCis(records, request.body as CisBatch) : listCis(records, request.query);
    }
    const [, instance, dnsZone = "", id] = dnsPath.exec(request.path) ?? [];
    const records = instance === account.dnsInstance ? dnsZones.get(dnsZone) : undefined;
    return records ? serveDns(records, request, id) : dnsRefusal(404, "not_found", "DNS zone not found.");
  });
  const endpoints = {
    internetServices: `${standIn.url}/cis`,
    dnsServices: `${standIn.url}/dns-svcs`,
    tokens: `${standIn.url}/iam`,
  };
  return { ...standIn, endpoints };

  function giveToken({ body }: StandInRequest): StandInAnswer {
    const form = new URLSearchParams(String(body));
    const isKnown =
      form.get("grant_type") === "urn:ibm:params:oauth:grant-type:apikey" &&
      form.get("apikey") === account.apiKey;
    return isKnown
      ? { body: { access_token: token, token_type: "Bearer", expires_in: 3600, expiration: seconds + 3600 } }
      : {
          status: 400,
          body: {
            errorCode: "BXNIM0415E",
            errorMessage: "Provided API key could not be found.",
            context: {},
          },
        };
  }

  function listCis(records: ReadonlyMap<string, CisRecord>, query: URLSearchParams): StandInAnswer {
    const name = query.get("name");
    const all = [...records.values()].filter((record) => name === null || record.name === name);
    const size = Number(query.get("per_page") ?? 20);
    const page = Number(query.get("page") ?? 1);
    const result = all.slice((page - 1) * size, page * size);
    const info = { page, per_page: size, count: result.length, total_count: all.length };
    return { body: { success: true, errors: [], messages: [], result, result_info: info } };
  }

  function changeCis(records: Map<string, CisRecord>, batch: CisBatch): StandInAnswer {
    const after = new Map(records);
    for (const { id } of batch.deletes ?? []) {
      if (!after.delete(id)) return cisRefusal(404, 81044, "Record does not exist.");
    }
    const wanted: readonly (Omit<CisRecord, "id"> & { readonly id?: string })[] = [
      ...(batch.puts ?? []),
      ...(batch.posts ?? []),
    ];
    for (const record of wanted) {
      const id = record.id ?? `cis-${++made}`;
      if (record.id !== undefined && !after.has(id)) return cisRefusal(404, 81044, "Record does not exist.");
      if (record.ttl !== 1 && record.ttl < 120) return cisRefusal(400, 9021, "Invalid TTL.");
      const others = [...after.values()].filter((other) => other.name === record.name && other.id !== id);
      if (others.some(({ type, content }) => type === record.type && content === record.content))
        return cisRefusal(400, 81058, "An identical record already exists.");
      if (others.some(({ type }) => type === "CNAME" || record.type === "CNAME"))
        return cisRefusal(400, 81053, "An A, AAAA, or CNAME record with that host already exists.");
      after.set(id, { ...record, id });
    }
    records.clear();
    for (const [id, record] of after) records.set(id, record);
    return { body: { success: true, errors: [], messages: [], result: {} } };
  }

  function serveDns(
    records: Map<string, ResourceRecord>,
    { method, query, body }: StandInRequest,
    id: string | undefined,
  ): StandInAnswer {
    if (method === "GET") {
      const offset = Number(query.get("offset") ?? 0);
      const limit = Number(query.get("limit") ?? 200);
      const all = [...records.values()];
      const page = all.slice(offset, offset + limit);
      const counts = { offset, limit, count: page.length, total_count: all.length };
      return { body: { resource_records: page, ...counts } };
    }
    const before = id === undefined ? undefined : records.get(id);
    if (id !== undefined && !before) return dnsRefusal(404, "not_found", `Resource record not found: ${id}.`);
    if (method === "DELETE") return { status: records.delete(id ?? "") ? 204 : 404 };
    const wanted = body as Omit<ResourceRecord, "id">;
    const record = { ...before, ...wanted, id: id ?? `dns-${++made}` };
    if (!dnsTtls.has(record.ttl))
      return dnsRefusal(400, "invalid_ttl", "The TTL is not one of those allowed.");
    const others = [...records.values()].filter(
      (other) => other.name === record.name && other.id !== record.id,
    );
    const data = JSON.stringify(record.rdata);
    if (others.some(({ type, rdata }) => type === record.type && JSON.stringify(rdata) === data))
      return dnsRefusal(409, "conflict", "The resource record already exists.");
    if (others.some(({ type }) => type === "CNAME" || record.type === "CNAME"))
      return dnsRefusal(409, "cname_conflict", "A CNAME cannot be beside other records.");
    records.set(record.id, record);
    return { body: record };
  }
}

export function cisRefusal(status: number, code: number, message: string): StandInAnswer {
  return { status, body: { success: false, errors: [{ code, message }], messages: [], result: null } };
}

function dnsRefusal(status: number, code: string, message: string): StandInAnswer {
  return { status, body: { errors: [{ code, message }] } };
}
