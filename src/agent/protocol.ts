/*
 * What controller and agent say to each other: JSON messages on one stream of the channel.
 *
 *   agent      → hello      what it is and which versions of which items it still has
 *   controller → changes    items that differ, in parts; the last part of a set says so
 *   agent      → applied    the set is in force, or refused where a report says so
 *   agent      → reports    what the driver reported
 *
 * One set is under way at a time, so what changes meanwhile is sent once, in its newest version. An item's version is a hash of its content: an
 * agent that comes back gets only what has changed.
 */
import { createHash } from "node:crypto";
import type { ApplyReport, BoundAddress, ItemState } from "../drivers/index.ts";
import { modelKinds, type ModelItems, type ModelKind, type Rule, type RuleAction } from "../model/index.ts";

export const agentMethod = "/gatewright.agent.v1.Agent/Program";

export interface Hello {
  readonly type: "hello";
  /** Of the agent's program, for people. */
  readonly version: string;
  readonly driver: string;
  /** For people: the Pod's name. */
  readonly name: string;
  /** Kind → key → version. */
  readonly has: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface Changes {
  readonly type: "changes";
  /** Of the set; the same in all its parts. */
  readonly id: number;
  readonly items: readonly WireItem[];
  readonly isLast: boolean;
}

/** Kind, key, version and content as JSON; without the last two the item is gone. */
export type WireItem = readonly [ModelKind, string, string, string] | readonly [ModelKind, string];

export type FromAgent =
  | Hello
  | { readonly type: "applied"; readonly id: number }
  | { readonly type: "reports"; readonly reports: readonly ApplyReport[] };

export function encodeMessage(message: FromAgent | Changes): Buffer {
  return Buffer.from(JSON.stringify(message));
}

/**
 * Undefined: not a message of this protocol. A Pod's certificate says whose proxy it is, not that it means well. What a newer agent
 * says of kinds that are not known here is left out.
 */
export function decodeFromAgent(bytes: Buffer): FromAgent | undefined {
  const message = parse(bytes);
  if (message?.["type"] === "hello") return isHello(message) ? (message as unknown as Hello) : undefined;
  if (message?.["type"] === "applied") {
    const { id } = message;
    return typeof id === "number" ? { type: "applied", id } : undefined;
  }
  const reports = message?.["type"] === "reports" ? message["reports"] : undefined;
  if (!Array.isArray(reports) || !reports.every(isReport)) return undefined;
  const known = reports.filter(({ kind }) => isModelKind(kind));
  return {
    type: "reports",
    reports: known.map(({ kind, key, state }) => ({ kind, key, state: bounded(state) })),
  };
}

/** Undefined: not a message of this protocol. Items are decoded when they are applied. */
export function decodeChanges(bytes: Buffer): Changes | undefined {
  const message = parse(bytes);
  const isChanges =
    message?.["type"] === "changes" &&
    typeof message["id"] === "number" &&
    Array.isArray(message["items"]) &&
    message["items"].every(Array.isArray);
  return isChanges ? (message as unknown as Changes) : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function parse(bytes: Buffer): Fields | undefined {
  try {
    const message: unknown = JSON.parse(bytes.toString("utf8"));
    return isObject(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

function isHello({ version, driver, name, has }: Fields): boolean {
  if (![version, driver, name].every((text) => typeof text === "string") || !isObject(has)) return false;
  return Object.values(has).every(
    (versions) => isObject(versions) && Object.values(versions).every((text) => typeof text === "string"),
  );
}

function isReport(report: unknown): report is ApplyReport {
  if (!isObject(report)) return false;
  return typeof report["kind"] === "string" && typeof report["key"] === "string" && isState(report["state"]);
}

function isState(state: unknown): state is ItemState {
  if (!isObject(state)) return false;
  const { type, message, reason, addresses = [] } = state;
  if (type === "programmed") return Array.isArray(addresses) && addresses.every(isAddress);
  if (type === "refused" && reason !== undefined && !refusalReasons.includes(reason)) return false;
  return (type === "pending" || type === "refused") && typeof message === "string";
}

/** In characters: it ends in a status. */
const longestMessage = 4_096;
/** A listener is bound once for each address of the Pod. */
const mostAddresses = 64;

/** What is kept of a state for each item: what it consists of, and no more than helps. */
function bounded(state: ItemState): ItemState {
  if (state.type === "programmed") {
    const { type, addresses } = state;
    const kept = addresses?.slice(0, mostAddresses).map(({ address, port }) => ({ address, port }));
    return { type, ...(kept && { addresses: kept }) };
  }
  const message = cut(state.message);
  if (state.type === "pending") return { type: "pending", message };
  return { type: "refused", message, ...(state.reason && { reason: state.reason }) };
}

function cut(message: string): string {
  if (message.length <= longestMessage) return message;
  // A copy: a part of a text keeps the whole.
  return Buffer.from(`${message.slice(0, longestMessage - 1)}…`).toString();
}

const refusalReasons: readonly unknown[] = ["PortUnavailable", "AddressNotUsable"];

function isAddress(bound: unknown): bound is BoundAddress {
  return isObject(bound) && typeof bound["address"] === "string" && typeof bound["port"] === "number";
}

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

export function isModelKind(kind: string): kind is ModelKind {
  return (modelKinds as readonly string[]).includes(kind);
}

/** Rules that share an action share it on the other side too: its turns are counted once. */
export function encodeItem<Kind extends ModelKind>(kind: Kind, item: ModelItems[Kind]): string {
  if (kind !== "virtualHosts") return JSON.stringify(item);
  const { rules, ...rest } = item as ModelItems["virtualHosts"];
  const actions = [...new Set(rules.map(({ action }) => action))];
  const places = new Map(actions.map((action, place) => [action, place]));
  return JSON.stringify({
    ...rest,
    actions,
    rules: rules.map(({ key, match, action }) => ({ key, match, action: places.get(action) })),
  });
}

interface WireVirtualHost extends Omit<ModelItems["virtualHosts"], "rules"> {
  readonly actions: readonly RuleAction[];
  readonly rules: readonly (Omit<Rule, "action"> & { readonly action: number })[];
}

export function decodeItem<Kind extends ModelKind>(
  kind: Kind,
  json: string,
  intern: (action: RuleAction) => RuleAction,
): ModelItems[Kind] {
  const item: unknown = JSON.parse(json);
  if (kind !== "virtualHosts") return item as ModelItems[Kind];
  const { actions, rules, ...rest } = item as WireVirtualHost;
  const interned = actions.map(intern);
  const virtualHost: ModelItems["virtualHosts"] = {
    ...rest,
    rules: rules.map(({ key, match, action }) => ({ key, match, action: interned[action] as RuleAction })),
  };
  return virtualHost as ModelItems[Kind];
}

export function versionOf(json: string): string {
  return createHash("sha256").update(json).digest("base64url").slice(0, 16);
}
