/**
 * @peculiar/x509 builds on a library that asks for three functions of the decorator metadata proposal, which Node does
 * not have. This file supplies them unless something else did, and is imported before @peculiar/x509.
 */
type Metadata = Map<unknown, unknown>;

interface MetadataReflect {
  getMetadata?(key: unknown, target: object): unknown;
  getOwnMetadata?(key: unknown, target: object): unknown;
  defineMetadata?(key: unknown, value: unknown, target: object): void;
}

const reflect = Reflect as MetadataReflect;

if (reflect.getMetadata === undefined) {
  const metadata = new WeakMap<object, Metadata>();
  const getOwnMetadata = (key: unknown, target: object): unknown => metadata.get(target)?.get(key);

  reflect.getOwnMetadata = getOwnMetadata;
  reflect.getMetadata = (key, target) => {
    for (let at: object | null = target; at !== null; at = Reflect.getPrototypeOf(at)) {
      const value = getOwnMetadata(key, at);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  reflect.defineMetadata = (key, value, target) => {
    const own = metadata.get(target) ?? new Map<unknown, unknown>();
    own.set(key, value);
    metadata.set(target, own);
  };
}

export {};
