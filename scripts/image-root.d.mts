export function makeImageRoot(folder: string, from?: string): void;
