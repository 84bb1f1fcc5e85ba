// As much of Alibaba Cloud DNS (2015-01-09) as records need, by Alibaba's description of its RPC actions and of signatures by ACS3-HMAC-SHA256.

import { createHash, createHmac } from "node:crypto";
import { startStandIn, type StandIn, type StandInAnswer, type StandInRequest } from "../http-stand-in.ts";

export interface AlibabaStandIn extends StandIn {
  readonly plainEndpoint: string;
  /** Since the last call. */
  takeActions(): readonly string[];
}

export interface AlibabaAccount {
  readonly accessKeyId: string;
  readonly accessKeySecret: string;
  readonly domains: readonly string[];
  readonly minimumTtl: number;
}

interface AliRecord {
  readonly RecordId: string;
  readonly DomainName: string;
  readonly RR: string;
  readonly Type: string;
  readonly Value: string;
  readonly TTL: number;
}

export async function startAlibaba(account: AlibabaAccount): Promise<AlibabaStandIn> {
  const records = new Map<string, AliRecord>();
  let made = 0;
  let taken = 0;
  const standIn = await startStandIn((request) => {
    const { accessKeyId, accessKeySecret } = account;
    const [, credential, signedHeaders = "", signature] =
      /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=([0-9a-f]+)$/.exec(
        request.headers.authorization ?? "",
      ) ?? [];
    if (credential !== accessKeyId)
      return refusal(404, "InvalidAccessKeyId.NotFound", "Specified access key is not found.");
    if (signature !== signatureOf(request, signedHeaders, accessKeySecret))
      return refusal(
        400,
        "SignatureDoesNotMatch",
        "Specified signature is not matched with our calculation.",
      );
    return serve(request.headers["x-acs-action"], request.query);
  });
  return {
    ...standIn,
    plainEndpoint: standIn.url.replace("http://", ""),
    takeActions() {
      const actions = standIn.requests.slice(taken).map(({ headers }) => String(headers["x-acs-action"]));
      taken = standIn.requests.length;
      return actions;
    },
  };

  function serve(action: unknown, query: URLSearchParams): StandInAnswer {
    const field = (name: string): string => query.get(name) ?? "";
    const domain = field("DomainName");
    const isKnown = account.domains.includes(domain);
    switch (action) {
      case "DescribeDomainRecords":
      case "DescribeSubDomainRecords": {
        if (!isKnown)
          return refusal(400, "InvalidDomainName.NoExist", "The specified domain name does not exist.");
        const only = query.get("SubDomain")?.replace(/^@[.]/, "");
        const all = [...records.values()].filter(
          ({ RR, DomainName }) =>
            DomainName === domain &&
            (only === undefined || only === (RR === "@" ? domain : `${RR}.${domain}`)),
        );
        const size = Number(query.get("PageSize") ?? 20);
        const page = Number(query.get("PageNumber") ?? 1);
        const found = all.slice((page - 1) * size, page * size);
        const counts = { TotalCount: all.length, PageSize: size, PageNumber: page };
        return { body: { ...counts, RequestId: "r", DomainRecords: { Record: found } } };
      }
      case "AddDomainRecord":
        if (!isKnown)
          return refusal(400, "InvalidDomainName.NoExist", "The specified domain name does not exist.");
        return put(`ali-${++made}`, domain, query);
      case "UpdateDomainRecord": {
        const before = records.get(field("RecordId"));
        return before ? put(before.RecordId, before.DomainName, query) : notFound();
      }
      case "DeleteDomainRecord":
        return records.delete(field("RecordId")) ? { body: { RequestId: "r" } } : notFound();
      default:
        return refusal(404, "InvalidAction.NotFound", "Specified api is not found.");
    }
  }

  function put(id: string, domain: string, query: URLSearchParams): StandInAnswer {
    const record = {
      RecordId: id,
      DomainName: domain,
      RR: query.get("RR") ?? "",
      Type: query.get("Type") ?? "",
      Value: query.get("Value") ?? "",
      TTL: Number(query.get("TTL") ?? 600),
    };
    if (record.TTL < account.minimumTtl)
      return refusal(400, "QuotaExceeded.TTL", "The TTL value is out of the range of your edition.");
    const others = [...records.values()].filter(
      (other) => other.RR === record.RR && other.DomainName === domain,
    );
    if (
      others.some(
        ({ Type: type, Value: value, TTL: ttl }) =>
          type === record.Type && value === record.Value && ttl === record.TTL,
      )
    )
      return refusal(400, "DomainRecordDuplicate", "The DNS record already exists.");
    if (
      others.some(
        ({ RecordId: other, Type: type }) => other !== id && (type === "CNAME" || record.Type === "CNAME"),
      )
    )
      return refusal(400, "DomainRecordConflict", "The DNS record conflicts with others.");
    records.set(id, record);
    return { body: { RequestId: "r", RecordId: id } };
  }
}

function notFound(): StandInAnswer {
  return refusal(400, "DomainRecordNotBelongToUser", "The domain record does not belong to this user.");
}

export function refusal(status: number, code: string, message: string): StandInAnswer {
  return { status, body: { Code: code, Message: message, RequestId: "r", HostId: "alidns.aliyuncs.com" } };
}

function signatureOf(
  { method, path, query, headers }: StandInRequest,
  signed: string,
  secret: string,
): string {
  const encode = (text: string): string =>
    encodeURIComponent(text).replaceAll(
      /[!'()*]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  const parameters = [...query].map(([name, value]) => `${encode(name)}=${encode(value)}`).toSorted();
  const lines = signed.split(";").map((name) => `${name}:${String(headers[name] ?? "").trim()}\n`);
  const payload = String(headers["x-acs-content-sha256"]);
  const canonical = [method, path, parameters.join("&"), lines.join(""), signed, payload].join("\n");
  const hashed = createHash("sha256").update(canonical).digest("hex");
  return createHmac("sha256", secret).update(`ACS3-HMAC-SHA256\n${hashed}`).digest("hex");
}
