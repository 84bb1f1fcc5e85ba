/*
 * NGINX's configuration as data. Only `write-directives.ts` turns it into text, and only what is made with `variable` is one: a `$` in any
 * other text is refused there.
 */
export interface Directive {
  readonly name: string;
  readonly arguments: readonly Argument[];
  readonly block?: readonly Directive[];
}

/** One argument: a text, or texts and variables in turn. */
export type Argument = string | readonly (string | Variable)[];

export interface Variable {
  readonly variable: string;
}

export function variable(name: string): Variable {
  return { variable: name };
}

export function directive(name: string, ...given: readonly Argument[]): Directive {
  return { name, arguments: given };
}

export function block(name: string, given: readonly Argument[], content: readonly Directive[]): Directive {
  return { name, arguments: given, block: content };
}
