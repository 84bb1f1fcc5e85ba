// Rules of several Ingresses that ask for the same requests: the oldest Ingress gets them, and the others nothing.

import type { Index, Read } from "../../incremental/index.ts";
import { ageOf, compareAge } from "../object-age.ts";
import type { Remark } from "../layers.ts";
import type { JudgedHost, JudgedIngress, PlacedRule } from "./judged-ingress.ts";
import { RemarkList } from "./remark-list.ts";

/** Those with the same one ask for the same. */
export function matchKeys(judged: JudgedIngress): readonly string[] {
  return judged.hosts.flatMap((host) => host.rules.map((rule) => matchKey(judged, host, rule)));
}

function matchKey({ gateway }: JudgedIngress, { hostname }: JudgedHost, { rule }: PlacedRule): string {
  const matches = rule.matches.map(({ path, ...rest }) => ({
    ...rest,
    path: path?.type === "PathPrefix" ? { ...path, value: path.value?.replace(/(?<=.)\/$/, "") } : path,
  }));
  return `${gateway}|${hostname}|${JSON.stringify(matches)}`;
}

/** By a key of `matchKeys`: who gets the requests. */
export type WinnerOf = (key: string) => JudgedIngress | undefined;

export function winnerAmong(claiming: readonly JudgedIngress[]): JudgedIngress | undefined {
  const [first] = claiming.toSorted((a, b) =>
    compareAge(ageOf(a.ingress.metadata), ageOf(b.ingress.metadata)),
  );
  return first;
}

export function winnersIn(all: readonly JudgedIngress[]): WinnerOf {
  const claims = new Map<string, JudgedIngress[]>();
  for (const one of all)
    for (const key of matchKeys(one)) {
      const known = claims.get(key);
      if (known) known.push(one);
      else claims.set(key, [one]);
    }
  return (key) => winnerAmong(claims.get(key) ?? []);
}

export function winnersBy(index: Index<JudgedIngress>, read: Read): WinnerOf {
  return (key) => winnerAmong(read.all(index, key));
}

/** The rules that get requests. */
export function withoutLosers(judged: JudgedIngress, winnerOf: WinnerOf): JudgedIngress {
  const hosts = judged.hosts.map((host) => ({
    ...host,
    rules: host.rules.filter((rule) => isSame(winnerOf(matchKey(judged, host, rule)), judged)),
  }));
  return { ...judged, hosts };
}

/** What is told to the owner of those that get none. */
export function loserRemarks(judged: JudgedIngress, winnerOf: WinnerOf): readonly Remark[] {
  const remarks = new RemarkList(judged.ingress);
  for (const host of judged.hosts)
    for (const rule of host.rules) {
      const winner = winnerOf(matchKey(judged, host, rule));
      if (!winner || isSame(winner, judged)) continue;
      const { namespace, name } = winner.ingress.metadata;
      const where = host.hostname === "*" ? "without a host" : `of host ${host.hostname}`;
      remarks.warn(
        "SamePath",
        rule.field,
        `gets no requests: Ingress ${namespace}/${name} comes first and has the same path ${where}`,
      );
    }
  return remarks.all;
}

function isSame(a: JudgedIngress | undefined, b: JudgedIngress): boolean {
  return (
    a?.ingress.metadata.namespace === b.ingress.metadata.namespace &&
    a.ingress.metadata.name === b.ingress.metadata.name
  );
}
