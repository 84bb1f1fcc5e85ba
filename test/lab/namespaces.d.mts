// The part of namespaces.mjs that tests use through lab.ts.
export function currentLab(): string | undefined;
export function labObstacle(): string | undefined;
export function insideLab(command: readonly string[]): {
  readonly folder: string;
  readonly command: readonly [string, ...string[]];
  clean(): void;
};
