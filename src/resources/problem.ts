/** A place inside an object: field names and list positions, outermost first. */
export type Path = readonly (string | number)[];

/** One thing that is wrong with an object: where, and what to do about it. */
export interface Problem {
  readonly path: Path;
  readonly message: string;
}

const plainFieldName = /^[A-Za-z_$][\w$-]*$/;

/** Writes a path the way people write it: `spec.rules[0].matches[1].path.value`. */
export function formatPath(path: Path): string {
  let text = "";
  for (const segment of path) {
    if (typeof segment === "number") text += `[${segment}]`;
    else if (!plainFieldName.test(segment)) text += `[${JSON.stringify(segment)}]`;
    else text += text === "" ? segment : `.${segment}`;
  }
  return text;
}
