/*
 * Certificates that clients do not take, or soon will not. No status tells of that: the translation knows no clock, and whether a
 * certificate is good is for clients to judge. But whoever serves with it wants to hear of it before they do.
 */
import { X509Certificate } from "node:crypto";
import type { Certificate } from "../model/index.ts";
import type { Controller } from "./controller.ts";
import { nameCertificate, nameSection } from "./explain/object-words.ts";
import type { Note } from "./note.ts";

const day = 24 * 60 * 60 * 1000;
/** Before it, those who renew certificates by themselves have done so. */
const soon = 14 * day;
/** Some live for days only, and are no news in their last but one. */
const shareOfLife = 1 / 3;

export function certificateNotes({ model }: Pick<Controller, "model">, now: Date): readonly Note[] {
  const notes: Note[] = [];
  for (const [key, certificate] of model.certificates.entries()) {
    const [kind, namespace, name] = key.split("/");
    const object = `${kind}/${namespace}/${name}`;
    const validity = describeValidity(certificate, now);
    const message = `${nameCertificate(object)}: ${validity}`;
    if (validity !== undefined) notes.push({ rule: "certificate", key: object, message });
  }
  for (const [, { hostname, section, action }] of model.serverNames.entries()) {
    if (!("certificates" in action)) continue;
    const shown = action.certificates.flatMap((key) => model.certificates.get(key) ?? []);
    const strangers = describeNames(shown, hostname);
    const [kind, namespace, name] = section.split("/");
    const message = `${nameSection(section)}: ${strangers}`;
    if (strangers !== undefined) {
      notes.push({ rule: "certificate", key: `${kind}/${namespace}/${name}`, message });
    }
  }
  return notes.toSorted((a, b) => (a.message < b.message ? -1 : 1));
}

/** `its certificate expired on 2025-02-01, so …`; undefined where it is good for a while. */
export function describeValidity(certificate: Certificate, now: Date): string | undefined {
  const { from, to } = lifetimeOf(certificate);
  const what = certificate.privateKey === undefined ? "its last CA certificate" : "its certificate";
  const refused = certificate.privateKey === undefined ? "what it signed is refused" : "clients refuse it";
  const left = to - now.getTime();
  if (left <= 0) return `${what} expired on ${dateOf(to)}, so ${refused}: renew it`;
  if (from > now.getTime()) return `${what} is not valid before ${dateOf(from)}; until then ${refused}`;
  if (left > Math.min(soon, (to - from) * shareOfLife)) return undefined;
  const days = Math.floor(left / day);
  const when = days === 0 ? "in less than a day" : days === 1 ? "in 1 day" : `in ${days} days`;
  return `${what} expires ${when}, on ${dateOf(to)}: renew it`;
}

/** Why clients that ask for this host take none of the certificates; undefined where they take one. */
export function describeNames(shown: readonly Certificate[], hostname: string): string | undefined {
  if (hostname === "*" || shown.length === 0) return undefined;
  const asked = hostname.replace(/^\*/, "any");
  const leaves = shown.map((certificate) => parse(certificate)[0]!);
  if (leaves.some((leaf) => leaf.checkHost(asked, { subject: "never" }) !== undefined)) return undefined;
  const names = leaves.flatMap(({ subjectAltName }) => subjectAltName?.match(/(?<=DNS:)[^,]+/g) ?? []);
  const secrets = shown.map(({ key }) => nameCertificate(key)).join(", ");
  const there = names.length === 0 ? "no host (it has no subjectAltName)" : [...new Set(names)].join(", ");
  return `the certificate for ${hostname} (${secrets}) is for ${there}, so clients refuse it`;
}

/** Seconds since 1970. */
export function expiryOf(certificate: Certificate): number {
  return lifetimeOf(certificate).to / 1000;
}

interface Lifetime {
  readonly from: number;
  readonly to: number;
}

/** Somebody may ask again every few seconds. */
const lifetimes = new WeakMap<Certificate, Lifetime>();

/** Of the certificate that is shown; of authorities, of the one that is good for longest. */
function lifetimeOf(certificate: Certificate): Lifetime {
  const known = lifetimes.get(certificate);
  if (known) return known;
  const all = parse(certificate);
  const looked = certificate.privateKey === undefined ? all : all.slice(0, 1);
  const spans = looked.map(({ validFrom, validTo }) => ({
    from: Date.parse(validFrom),
    to: Date.parse(validTo),
  }));
  const longest = spans.reduce((best, span) => (span.to > best.to ? span : best));
  lifetimes.set(certificate, longest);
  return longest;
}

function parse({ certificates }: Certificate): readonly X509Certificate[] {
  return certificates
    .split(/(?<=-----END CERTIFICATE-----\n)/)
    .filter((text) => text.trim() !== "")
    .map((text) => new X509Certificate(text));
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, "2000-01-01".length);
}
