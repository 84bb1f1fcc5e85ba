/*
 * What the routes of a listener need in its NGINX's configuration. It only grows: what is not needed any more does no harm, and taking it
 * out would cost a reload.
 */
import type { Backend, RuleAction } from "../../../model/index.ts";
import { nameOfKind, nameOfProfile, profileOfAction, usualAction, type Profile } from "../config/profile.ts";
import { changedRequestHeaders } from "../data/action.ts";

export interface Needs {
  readonly profiles: ReadonlyMap<string, Profile>;
  readonly mirrors: ReadonlySet<string>;
  readonly trusts: ReadonlySet<number>;
  readonly headerNames: ReadonlySet<string>;
}

/** On every gRPC request. */
const usualNames = ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "x-request-id"];
const droppedNames = [
  "x-forwarded-client-cert",
  "keep-alive",
  "proxy-connection",
  "upgrade",
  "http2-settings",
];

export const usualNeeds: Needs = {
  profiles: new Map(
    (["h", "g", "b"] as const).map((kind) => {
      const profile: Profile = { kind, trust: undefined, ...usualAction };
      return [nameOfProfile(profile), profile];
    }),
  ),
  mirrors: new Set(),
  trusts: new Set(),
  headerNames: new Set([...usualNames, ...droppedNames]),
};

export interface BackendKinds {
  get(key: string): Backend | undefined;
  trustOf(backend: Backend): number | undefined;
}

/** NGINX reads these into its configuration; others (there are such tokens) cannot be written there. */
const plainName = /^[A-Za-z0-9!#%&'*+\-.^_`|~]{1,256}$/;

export function needsOfActions(actions: Iterable<RuleAction>, backends: BackendKinds): Needs {
  const profiles = new Map<string, Profile>();
  const mirrors = new Set<string>();
  const trusts = new Set<number>();
  const headerNames = new Set<string>();
  const find = (key: string) => {
    const backend = backends.get(key);
    const trust = backend ? backends.trustOf(backend) : undefined;
    if (trust !== undefined) trusts.add(trust);
    return backend ? { backend, trust } : undefined;
  };
  for (const action of actions) {
    const isGrpc = action.protocol === "grpc";
    for (const { target } of action.backends) {
      const found = target.type === "backend" ? find(target.backend) : undefined;
      if (!found) continue;
      const kind = isGrpc ? "g" : found.backend.protocol === "h2c" ? "b" : "h";
      const parts = [profileOfAction(action), usualAction];
      for (const part of parts) {
        const profile: Profile = { kind, trust: found.trust, ...part };
        profiles.set(nameOfProfile(profile), profile);
      }
    }
    for (const { target } of [...action.mirrors, ...action.backends.flatMap((each) => each.mirrors ?? [])]) {
      const found = target.type === "backend" ? find(target.backend) : undefined;
      if (!found) continue;
      const kind = found.backend.protocol === "h2c" ? "b" : "h";
      mirrors.add(nameOfKind({ kind, trust: found.trust }));
    }
    for (const { auth } of [action, ...action.backends]) {
      if (auth?.target.type === "backend") find(auth.target.backend);
    }
    if (isGrpc)
      for (const name of changedRequestHeaders(action)) if (plainName.test(name)) headerNames.add(name);
  }
  return { profiles, mirrors, trusts, headerNames };
}

export function joinNeeds(left: Needs, right: Needs): Needs {
  return {
    profiles: new Map([...left.profiles, ...right.profiles]),
    mirrors: new Set([...left.mirrors, ...right.mirrors]),
    trusts: new Set([...left.trusts, ...right.trusts]),
    headerNames: new Set([...left.headerNames, ...right.headerNames]),
  };
}

export function includesNeeds(whole: Needs, part: Needs): boolean {
  const isIn = <T>(all: { has(value: T): boolean }, some: Iterable<T>) =>
    [...some].every((each) => all.has(each));
  return (
    isIn(whole.profiles, part.profiles.keys()) &&
    isIn(whole.mirrors, part.mirrors) &&
    isIn(whole.trusts, part.trusts) &&
    isIn(whole.headerNames, part.headerNames)
  );
}
