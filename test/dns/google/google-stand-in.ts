// As much of Google Cloud DNS (v1) as records need, by Google's description of rrsets.list and changes.create, and of tokens for service accounts. A request for
// https://HOST/PATH comes in as /HOST/PATH.

import { createVerify } from "node:crypto";
import { startStandIn, type StandIn, type StandInAnswer, type StandInRequest } from "../http-stand-in.ts";

export interface GoogleStandIn extends StandIn {
  readonly redirect: (url: string) => string;
}

export interface GoogleAccount {
  readonly email: string;
  readonly publicKey: string;
  /** `PROJECT/ZONE` */
  readonly zones: readonly string[];
  readonly pageSize: number;
}

interface ResourceRecordSet {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly rrdatas: readonly string[];
}

interface Change {
  readonly additions?: readonly ResourceRecordSet[];
  readonly deletions?: readonly ResourceRecordSet[];
}

const zonePath =
  /^\/dns[.]googleapis[.]com\/dns\/v1\/projects\/([^/]+)\/managedZones\/([^/]+)\/(rrsets|changes)$/;

export async function startGoogle(account: GoogleAccount): Promise<GoogleStandIn> {
  const zones = new Map(account.zones.map((id) => [id, new Map<string, ResourceRecordSet>()]));
  const token = "ya29.token-of-the-stand-in";
  const standIn = await startStandIn((request) => {
    if (request.path === "/oauth2.googleapis.com/token") return giveToken(request);
    if (request.headers.authorization !== `Bearer ${token}`)
      return refusal(401, "authError", "Invalid Credentials");
    const [, project = "", zone = "", what = ""] = zonePath.exec(request.path) ?? [];
    const sets = zones.get(`${project}/${zone}`);
    if (!sets)
      return refusal(
        404,
        "notFound",
        `The 'parameters.managedZone' resource named '${zone}' does not exist.`,
      );
    return what === "rrsets" ? list(sets, request) : change(sets, request.body as Change);
  });
  return {
    ...standIn,
    redirect(url) {
      const { host, pathname, search } = new URL(url);
      return url.startsWith(standIn.url) ? url : `${standIn.url}/${host}${pathname}${search}`;
    },
  };

  function giveToken({ body }: StandInRequest): StandInAnswer {
    const assertion = new URLSearchParams(String(body)).get("assertion") ?? "";
    const [header = "", payload = "", signature = ""] = assertion.split(".");
    const { iss } = JSON.parse(Buffer.from(payload, "base64url").toString() || "{}") as { iss?: string };
    const isSigned = createVerify("RSA-SHA256")
      .update(`${header}.${payload}`)
      .verify(account.publicKey, signature, "base64url");
    if (iss === account.email && isSigned) {
      return { body: { access_token: token, expires_in: 3599, token_type: "Bearer" } };
    }
    return {
      status: 400,
      body: { error: "invalid_grant", error_description: "Invalid JWT Signature." },
    };
  }

  function list(sets: ReadonlyMap<string, ResourceRecordSet>, { query }: StandInRequest): StandInAnswer {
    const name = query.get("name");
    const all = [...sets.values()].filter((set) => name === null || set.name === name);
    const start = Number(query.get("pageToken") ?? 0);
    const end = start + account.pageSize;
    return {
      body: {
        kind: "dns#resourceRecordSetsListResponse",
        rrsets: all.slice(start, end),
        ...(end < all.length && { nextPageToken: String(end) }),
      },
    };
  }

  function change(sets: Map<string, ResourceRecordSet>, wanted: Change): StandInAnswer {
    const key = ({ name, type }: ResourceRecordSet): string => `${name} ${type}`;
    const after = new Map(sets);
    for (const [i, set] of (wanted.deletions ?? []).entries()) {
      const before = sets.get(key(set));
      const where = `entity.change.deletions[${i}]`;
      if (!before) {
        const message = `The '${where}' resource named '${set.name} (${set.type})' does not exist.`;
        return refusal(404, "notFound", message);
      }
      if (before.ttl !== set.ttl || before.rrdatas.join("\n") !== set.rrdatas.join("\n"))
        return refusal(412, "conditionNotMet", `Precondition not met for '${where}'`);
      after.delete(key(set));
    }
    for (const [i, set] of (wanted.additions ?? []).entries()) {
      const where = `entity.change.additions[${i}]`;
      const said = `The resource '${where}' named '${set.name} (${set.type})'`;
      if (!set.name.endsWith(".")) return refusal(400, "invalid", `Invalid value for '${where}.name'`);
      if (after.has(key(set))) return refusal(409, "alreadyExists", `${said} already exists`);
      const others = [...after.values()].filter(({ name }) => name === set.name);
      if (others.some(({ type }) => set.type === "CNAME" || type === "CNAME"))
        return refusal(400, "cnameResourceRecordSetConflict", `${said} conflicts with another`);
      after.set(key(set), { ...set });
    }
    sets.clear();
    for (const [name, set] of after) sets.set(name, set);
    return { body: { kind: "dns#change", id: "1", status: "pending", ...wanted } };
  }
}

export function refusal(status: number, reason: string, message: string): StandInAnswer {
  const errors = [{ message, domain: "global", reason }];
  return { status, body: { error: { code: status, message, errors } } };
}
