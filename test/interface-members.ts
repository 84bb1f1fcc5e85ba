/** What an interface has, as documents write it: `name`, or `name(parameter, other)` for methods. */
import { readFileSync } from "node:fs";
import ts from "typescript";

export function interfaceMembers(file: URL, name: string): string[] {
  const source = ts.createSourceFile(file.pathname, readFileSync(file, "utf8"), ts.ScriptTarget.ES2023);
  const declaration = source.statements.find(
    (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === name,
  ) as ts.InterfaceDeclaration | undefined;
  if (declaration === undefined) throw new Error(`${file.pathname} has no interface ${name}`);
  return declaration.members.map((member) => {
    const memberName = (member.name as ts.Identifier).text;
    if (!ts.isMethodSignature(member)) return memberName;
    const parameters = member.parameters.map((parameter) => (parameter.name as ts.Identifier).text);
    return `${memberName}(${parameters.join(", ")})`;
  });
}

/** What stands in backquotes at the head of the rows of tables, between a heading and the next one; their first rows are titles. */
export function documentedMembers(document: string, heading: string): string[] {
  const [, section = ""] = document.split(`\n${heading}\n`);
  const [part = ""] = section.split(/^#+ /m);
  return [...part.matchAll(/^\| `([^`]+)` +\|.*\n(?!\| -)/gm)].map(([, member = ""]) => member);
}
