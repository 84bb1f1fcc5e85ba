// The part of components.mjs that tests use through need.ts.
export interface Component {
  readonly name: string;
  readonly purpose: string;
  readonly find: () => string | undefined;
}
export function componentNamed(name: string): Component;
export function missingMessage(component: Component): string;
export function mustHaveAll(): boolean;
export const labComponents: readonly string[];
