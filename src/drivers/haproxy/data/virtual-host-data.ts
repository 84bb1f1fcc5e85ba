/* A virtual host as the Lua side reads it (lua/gatewright/host_rules.lua). */
import {
  compileByteProgram,
  type HeaderMatch,
  type RequestMatch,
  type Rule,
  type RuleAction,
  type VirtualHost,
} from "../../../model/index.ts";
import { identifierOf } from "../identifiers.ts";
import { actionData, type Needs } from "./action-data.ts";
import type { Data } from "./bencode.ts";
import { DataFiles } from "./data-files.ts";

export interface VirtualHostData {
  /** Of the virtual host itself; the rest is referred to by it. */
  readonly hash: string;
  readonly files: ReadonlyMap<string, Buffer>;
  readonly needs: Needs;
}

/** Made once for each version of a virtual host. */
const made = new WeakMap<VirtualHost, VirtualHostData>();

export function virtualHostData(host: VirtualHost): VirtualHostData {
  let data = made.get(host);
  if (!data) made.set(host, (data = makeData(host)));
  return data;
}

function makeData({ section, rules }: VirtualHost): VirtualHostData {
  const files = new DataFiles();
  const actions = new Map<RuleAction, string>();
  const needs: Needs = { variants: [], retries: [], sessions: [] };
  const ruleData = (rule: Rule): Data => {
    let action = actions.get(rule.action);
    if (action === undefined) {
      action = files.add(actionData(rule.action, needs));
      actions.set(rule.action, action);
    }
    return { ...matchData(rule.match, files), action };
  };
  const hash = files.add({ section: identifierOf(section), rules: rules.map(ruleData) });
  return { hash, files: files.files, needs };
}

function matchData(match: RequestMatch, files: DataFiles): { readonly [key: string]: Data | undefined } {
  const { path, method, headers, queryParams } = match;
  return {
    type: path.type,
    ...(path.type === "regex" ? { program: programHash(path.value, files) } : { path: path.value }),
    method,
    headers: headers.length > 0 ? headers.map((header) => valueData(header, files)) : undefined,
    params: queryParams.length > 0 ? queryParams.map((param) => valueData(param, files)) : undefined,
  };
}

function valueData({ name, type, value, invert }: HeaderMatch, files: DataFiles): Data {
  const inverted = invert ? 1 : undefined;
  return type === "regex"
    ? { name, program: programHash(value, files), inverted }
    : { name, value, inverted };
}

/** Lua counts from one. */
function programHash(source: string, files: DataFiles): string {
  const program = compileByteProgram(source);
  const fromOne = (numbers: readonly number[]) => numbers.map((number) => number + 1);
  return files.add({
    operations: program.operations,
    arguments: fromOne(program.arguments),
    next: fromOne(program.next),
    start: program.start + 1,
    assertions: program.assertions,
    classes: fromOne(program.classes),
    rows: program.rows,
  });
}
