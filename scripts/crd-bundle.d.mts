import type { CrdBundle } from "../src/operator/index.ts";

export function findGatewayApi(): string | undefined;
export function readCrdBundle(module?: string, version?: string): CrdBundle | undefined;
export function writeCrdBundle(folder: string): boolean;
