/*
 * The one place where text in NGINX's syntax comes into being. Every argument is quoted, whatever it is; inside of quotes only the quote
 * and the backslash mean something, and both are escaped. NGINX has no escape for `$`, so a text with one is refused, as is
 * what NGINX's reader cannot hold.
 */
import { ConfigurationProblem } from "./configuration-problem.ts";
import type { Argument, Directive } from "./directive.ts";

const directiveName = /^[a-z][a-z0-9_]*$/;
const variableName = /^[a-z][a-z0-9_]*$/;
/** NGINX's buffer for a parameter is 4096 bytes, quotes and escapes included. */
const longestArgument = 3_900;

export function writeDirectives(directives: readonly Directive[]): string {
  const lines: string[] = [];
  for (const directive of directives) writeDirective(directive, "", lines);
  return lines.join("");
}

function writeDirective({ name, arguments: given, block }: Directive, indent: string, lines: string[]): void {
  if (!directiveName.test(name)) throw new ConfigurationProblem(`${JSON.stringify(name)} is no directive`);
  const words = [name, ...given.map(writeArgument)].join(" ");
  if (!block) {
    lines.push(`${indent}${words};\n`);
    return;
  }
  lines.push(`${indent}${words} {\n`);
  for (const inner of block) writeDirective(inner, `${indent}  `, lines);
  lines.push(`${indent}}\n`);
}

function writeArgument(argument: Argument): string {
  const parts = typeof argument === "string" ? [argument] : argument;
  const text = parts.map((part, index) =>
    typeof part === "string" ? escape(part) : reference(part.variable, index === parts.length - 1),
  );
  const quoted = `"${text.join("")}"`;
  if (Buffer.byteLength(quoted) > longestArgument) {
    throw new ConfigurationProblem(
      `an argument is longer than the ${longestArgument} bytes that NGINX can read`,
    );
  }
  return quoted;
}

/** Where something follows, braces tell where the name ends. Where a variable is declared NGINX does not take them. */
function reference(name: string, isLast: boolean): string {
  if (!variableName.test(name)) throw new ConfigurationProblem(`${JSON.stringify(name)} is no variable`);
  return isLast ? `$${name}` : `\${${name}}`;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

function escape(text: string): string {
  if (text.includes("$")) throw new ConfigurationProblem("NGINX has no way to write a $ that is no variable");
  // eslint-disable-next-line no-control-regex
  return text.replace(/["\\\u0000-\u001f\u007f]/g, (character) => {
    const escaped = escapes.get(character);
    if (escaped === undefined) throw new ConfigurationProblem("a text has a control character");
    return escaped;
  });
}
