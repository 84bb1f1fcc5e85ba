/**
 * An alias makes one part of a document stand in many places: ten lines can stand for billions of values ("billion
 * laughs"), or for a value that contains itself. The reader shares the part; whoever reads on writes it out. So the size
 * with everything written out is added up first, each shared part once, and refused beyond a bound.
 */

/** Kubernetes' own objects stay well below; so do the schemas in its CRDs. */
export const deepestNesting = 100;

/** In characters, beyond what the text itself has. A Kubernetes object may have 1.5 MiB at most. */
const largestExpansion = 4 * 1024 * 1024;

interface Extent {
  readonly size: number;
  readonly height: number;
}

/** Says what is wrong with a document's value, if anything is. */
export function judgeExpansion(value: unknown, textLength: number): string | undefined {
  const limit = largestExpansion + textLength;
  const known = new Map<object, Extent | undefined>();
  let problem: string | undefined;

  function extentOf(node: unknown, depth: number): Extent {
    if (typeof node === "string") return { size: node.length, height: 0 };
    if (typeof node !== "object" || node === null) return { size: 1, height: 0 };
    const before = known.get(node);
    if (before !== undefined) return before;
    if (known.has(node)) problem ??= "has an alias (*) inside the part that it stands for";
    if (depth > deepestNesting) problem ??= `is nested deeper than ${deepestNesting} levels`;
    if (problem !== undefined) return { size: 0, height: 0 };
    known.set(node, undefined);
    let size = 1;
    let height = 0;
    for (const [key, child] of Object.entries(node)) {
      if (key === "[object Object]") problem ??= "has a mapping where a key must be a text";
      const extent = extentOf(child, depth + 1);
      size += key.length + extent.size;
      height = Math.max(height, extent.height);
      if (size > limit) problem ??= `its aliases (*) stand for more than ${largestExpansion >> 20} MiB`;
      if (problem !== undefined) break;
    }
    if (height >= deepestNesting) problem ??= `is nested deeper than ${deepestNesting} levels`;
    const extent = { size, height: height + 1 };
    known.set(node, extent);
    return extent;
  }

  extentOf(value, 1);
  return problem;
}
