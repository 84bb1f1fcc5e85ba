// Writes src/drivers/envoy/generated/messages.ts: the types of Envoy's messages, and the tables by which they are encoded.
// With --check it only compares.
//
// The definitions are those that @grpc/grpc-js-xds carries (Envoy's API, about 1.31), plus what it lacks
// (messages/additional.json). messages/used.json says which messages we use, by package: with a message comes every field
// that is not deprecated and whose type is there as well, is an enum, or is inside the message. "X as Y" gives the type another name.

import { createRequire } from "node:module";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import protobuf from "protobufjs";
import { projectFolder } from "./command.mjs";

const require = createRequire(import.meta.url);
const folder = join(projectFolder, "src", "drivers", "envoy");
const target = join(folder, "generated", "messages.ts");

const scalars = new Set(
  "double float bool string bytes int32 uint32 sint32 fixed32 sfixed32 int64 uint64 sint64 fixed64 sfixed64".split(
    " ",
  ),
);

/** Messages that have a plain form of their own; `messages/field.ts` has the same list. */
const plain = new Map(
  Object.entries({
    Any: "Any",
    Duration: "number",
    Timestamp: "number",
    Struct: "JsonObject",
    Value: "JsonValue",
    ListValue: "readonly JsonValue[]",
    Empty: "Record<string, never>",
    DoubleValue: "number",
    FloatValue: "number",
    Int64Value: "number | bigint",
    UInt64Value: "number | bigint",
    Int32Value: "number",
    UInt32Value: "number",
    BoolValue: "boolean",
    StringValue: "string",
    BytesValue: "Uint8Array",
  }).map(([name, type]) => [`google.protobuf.${name}`, type]),
);

/** All definitions that the used packages need, from the package that carries them. */
export async function loadDefinitions(packages) {
  const definitions = join(dirname(require.resolve("@grpc/grpc-js-xds/package.json")), "deps");
  const roots = ["envoy-api", "xds", "googleapis", "protoc-gen-validate"].map((name) =>
    join(definitions, name),
  );
  const root = new protobuf.Root();
  root.resolvePath = (_, path) => {
    if (path.startsWith("google/protobuf/") && !path.endsWith("descriptor.proto")) return path;
    if (path.endsWith("descriptor.proto")) return require.resolve(`protobufjs/${path}`);
    return roots.map((folder) => join(folder, path)).find((file) => existsSync(file)) ?? path;
  };
  await root.load(filesOf(packages, roots), { keepCase: true });
  return root;
}

function filesOf(packages, roots) {
  const { readdirSync } = require("node:fs");
  return packages.flatMap((name) => {
    const path = name.replaceAll(".", "/");
    return roots
      .filter((root) => existsSync(join(root, path)))
      .flatMap((root) =>
        readdirSync(join(root, path))
          .filter((file) => file.endsWith(".proto"))
          // Of google.rpc only the status is about messages.
          .filter((file) => name !== "google.rpc" || file === "status.proto")
          .map((file) => `${path}/${file}`),
      );
  });
}

/** Adds what the definitions lack. */
export function addMissing(root, additional) {
  for (const [fullName, { fields }] of Object.entries(additional)) {
    let type = root.lookup(`.${fullName}`, protobuf.Type);
    if (!type) {
      const at = fullName.lastIndexOf(".");
      type = new protobuf.Type(fullName.slice(at + 1));
      root.define(fullName.slice(0, at)).add(type);
    }
    for (const [name, { number, type: of, rule, keyType }] of Object.entries(fields)) {
      if (type.fields[name]) continue;
      const ofType = scalars.has(of) ? of : `.${of}`;
      type.add(
        keyType
          ? new protobuf.MapField(name, number, keyType, ofType)
          : new protobuf.Field(name, number, ofType, rule),
      );
    }
  }
  root.resolveAll();
  for (const [fullName, { fields }] of Object.entries(additional)) {
    for (const name of Object.keys(fields)) root.lookupType(`.${fullName}`).fields[name].resolve();
  }
}

/** Full name → { type, name }: the messages asked for, and those inside them that their fields are made of. */
export function chooseMessages(root, used) {
  const chosen = new Map();
  const names = new Map();
  const choose = (type, name) => {
    const fullName = type.fullName.slice(1);
    const other = names.get(name);
    if (other)
      throw new Error(`${other} and ${fullName} would both be ${name}: give one another name with "as".`);
    names.set(name, fullName);
    chosen.set(fullName, { type, name });
  };
  for (const [namespace, entries] of Object.entries(used)) {
    for (const entry of entries) {
      const [path, alias] = entry.split(" as ");
      const type = root.lookup(`.${namespace}.${path}`, protobuf.Type);
      if (!type) throw new Error(`used.json: there is no message ${namespace}.${path}.`);
      choose(type, alias ?? path.replaceAll(".", ""));
    }
  }
  // The loop meets what it adds, too.
  for (const { type } of chosen.values()) {
    for (const { resolvedType: of, options } of type.fieldsArray) {
      if (!(of instanceof protobuf.Type) || options?.deprecated || chosen.has(of.fullName.slice(1))) continue;
      const outer = chosen.get(of.parent.fullName.slice(1));
      if (outer) choose(of, outer.name + of.name);
    }
  }
  return new Map([...chosen].sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function render(chosen) {
  const enums = new Map();
  const interfaces = [];
  const tables = [];
  for (const [fullName, { type, name }] of chosen) {
    const lines = [];
    const fields = [];
    for (const field of [...type.fieldsArray].sort((a, b) => a.id - b.id)) {
      const of = valueOf(field, chosen, enums);
      if (!of || field.options?.deprecated) continue;
      const property = camelCase(field.name);
      const rule = field.map
        ? `map ${field.keyType} `
        : field.repeated
          ? packable(field) && field.options?.packed !== false
            ? "packed "
            : "repeated "
          : "";
      fields.push(`${field.id} ${property} ${rule}${of.table}`);
      const shown = field.map
        ? `ReadonlyMap<${field.keyType === "string" ? "string" : "number"}, ${of.type}>`
        : field.repeated
          ? `readonly ${/[ |]/.test(of.type) ? `(${of.type})` : of.type}[]`
          : of.type;
      lines.push(`  readonly ${property}?: ${shown};`);
    }
    interfaces.push(
      lines.length > 0
        ? `export interface ${name} {\n${lines.join("\n")}\n}`
        : `export type ${name} = Record<string, never>;`,
    );
    tables.push(
      `  "${fullName}": [${fields.map((field) => `\n    ${JSON.stringify(field)},`).join("")}\n  ],`,
    );
  }
  const enumTypes = [...enums].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    "// Made by scripts/envoy-messages.mjs. To have another message, name it in messages/used.json and run the script.",
    `export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;`,
    `export interface JsonObject {\n  readonly [name: string]: JsonValue;\n}`,
    `/** A message of any kind. Decoding leaves \`typeUrl\` and bytes, whatever the kind. */`,
    `export type Any =\n  | { [Name in MessageName]: { readonly type: Name; readonly value: Messages[Name] } }[MessageName]\n  | { readonly typeUrl: string; readonly bytes: Uint8Array };`,
    ...interfaces,
    `export interface Messages {\n${[...chosen].map(([fullName, { name }]) => `  "${fullName}": ${name};`).join("\n")}\n}`,
    `export type MessageName = keyof Messages;`,
    `/** \`<number> <name> [repeated | packed | map <key>] <type>\`, by number. */`,
    `export const messageTables: { readonly [Name in MessageName]: readonly string[] } = {\n${tables.join("\n")}\n};`,
    `export const enumTables: { readonly [name: string]: { readonly [value: string]: number } } = {\n${enumTypes
      .map(([name, values]) => `  "${name}": ${JSON.stringify(values)},`)
      .join("\n")}\n};`,
    "",
  ].join("\n\n");
}

function valueOf(field, chosen, enums) {
  const { resolvedType } = field;
  if (!resolvedType) return { table: field.type, type: scalarType(field.type) };
  const fullName = resolvedType.fullName.slice(1);
  if (resolvedType instanceof protobuf.Enum) {
    const values = Object.entries(resolvedType.values).filter(
      ([value]) => !value.startsWith("hidden_envoy_"),
    );
    enums.set(fullName, Object.fromEntries(values));
    return { table: `enum:${fullName}`, type: values.map(([value]) => `"${value}"`).join(" | ") };
  }
  if (plain.has(fullName)) return { table: fullName, type: plain.get(fullName) };
  const message = chosen.get(fullName);
  return message && { table: fullName, type: message.name };
}

function scalarType(type) {
  if (type === "string") return "string";
  if (type === "bytes") return "Uint8Array";
  if (type === "bool") return "boolean";
  return type.endsWith("64") ? "number | bigint" : "number";
}

function packable({ type, resolvedType }) {
  return resolvedType instanceof protobuf.Enum || (!resolvedType && type !== "string" && type !== "bytes");
}

const camelCase = (name) => name.replace(/_+([a-zA-Z0-9])/g, (_, letter) => letter.toUpperCase());

/** The text of the file, and what it was made from. */
export async function generate() {
  const read = (name) => JSON.parse(readFileSync(join(folder, "messages", name), "utf8"));
  const used = read("used.json");
  const root = await loadDefinitions(Object.keys(used));
  addMissing(root, read("additional.json"));
  const chosen = chooseMessages(root, used);
  return { root, chosen, text: render(chosen) };
}

async function main(checkOnly) {
  const { text } = await generate();
  if (existsSync(target) && readFileSync(target, "utf8") === text) return 0;
  if (checkOnly) {
    console.error("src/drivers/envoy/generated/messages.ts is stale: run node scripts/envoy-messages.mjs.");
    return 1;
  }
  writeFileSync(target, text);
  return 0;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = await main(process.argv.includes("--check"));
}
