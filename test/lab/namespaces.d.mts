// The part of namespaces.mjs that tests use through lab.ts.
export function currentLab(): string | undefined;
export function labObstacle(): string | undefined;
