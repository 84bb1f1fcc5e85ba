/*
 * The settings file of a command (`--config FILE`): its flags by their names in camel case, as YAML. What the command line says comes first.
 *
 *   mode: single-gateway
 *   gateway: { namespace: shop, name: web }     # --gateway shop/web
 *   httpproxyClass: [contour, inner]            # --httpproxy-class contour --httpproxy-class inner
 *   networkPolicy: true                         # --network-policy
 */
import { readFileSync } from "node:fs";
import { CORE_SCHEMA, load } from "js-yaml";
import { nearest } from "../controller/names/index.ts";
import type { Flag } from "./flag.ts";
import type { Invocation } from "./invocation.ts";
import { describeUnknownValue } from "./parse-arguments.ts";

/** What cannot be said in the file: which file it is, and what is the command's input rather than a setting. */
const onCommandLineOnly: ReadonlySet<string> = new Set(["config", "filename"]);

export type Configured =
  | { readonly outcome: "invocation"; readonly invocation: Invocation }
  | { readonly outcome: "malformed"; readonly message: string };

/** The invocation with what its settings file says, if it names one. */
export function withConfigFile(invocation: Invocation): Configured {
  const path = invocation.value("config");
  if (path === undefined) return { outcome: "invocation", invocation };
  try {
    const values = readSettings(parseFile(path), invocation.flags);
    return { outcome: "invocation", invocation: invocation.over(values) };
  } catch (error) {
    if (!(error instanceof MalformedSettings)) throw error;
    return { outcome: "malformed", message: `${path}: ${error.message}` };
  }
}

class MalformedSettings extends Error {}

function parseFile(path: string): unknown {
  try {
    return load(readFileSync(path, "utf8"), { schema: CORE_SCHEMA, filename: path });
  } catch (error) {
    const [why = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new MalformedSettings(`cannot be read: ${why}`);
  }
}

function readSettings(settings: unknown, flags: readonly Flag[]): ReadonlyMap<string, readonly string[]> {
  if (settings === undefined || settings === null) return new Map();
  if (!isObject(settings)) throw new MalformedSettings("must be a list of names and values");
  const known = new Map(
    flags.filter(({ name }) => !onCommandLineOnly.has(name)).map((flag) => [inCamelCase(flag.name), flag]),
  );
  const values = new Map<string, readonly string[]>();
  for (const [key, value] of Object.entries(settings)) {
    const flag = known.get(key);
    if (!flag) {
      const meant = nearest(key, [...known.keys()]);
      const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
      throw new MalformedSettings(`${key} is not a setting of this command${hint}`);
    }
    const given = readSetting(key, value, flag);
    if (given.length > 0) values.set(flag.name, given);
  }
  return values;
}

function readSetting(key: string, value: unknown, flag: Flag): readonly string[] {
  if (value === undefined || value === null) return [];
  if (flag.value === undefined) {
    if (typeof value !== "boolean") throw new MalformedSettings(`${key} must be true or false`);
    return value ? [""] : [];
  }
  const items = flag.repeatable && Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return items.map((item) => {
    const text = readText(key, item, flag);
    const problem = describeUnknownValue(key, text, flag);
    if (problem !== undefined) throw new MalformedSettings(problem);
    return text;
  });
}

function readText(key: string, value: unknown, flag: Flag): string {
  if (typeof value === "number" || (typeof value === "string" && value !== "")) return String(value);
  if (flag.value === "NAMESPACE/NAME" && isObject(value)) {
    // Contour nests it.
    const reference = isObject(value["gatewayRef"]) ? value["gatewayRef"] : value;
    const { namespace, name, ...others } = reference;
    if (isText(namespace) && isText(name) && Object.keys(others).length === 0) return `${namespace}/${name}`;
    throw new MalformedSettings(`${key} must have namespace and name, both, and nothing else`);
  }
  throw new MalformedSettings(`${key} must be ${flag.repeatable ? "a text or a list of texts" : "a text"}`);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `httpproxy-class` is `httpproxyClass`. */
function inCamelCase(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
