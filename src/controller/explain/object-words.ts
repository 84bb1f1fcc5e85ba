import type { BackendTarget, RouteRule } from "../../model/index.ts";

/** `HTTPRoute shop/cart rule 1 "canary"` */
export function nameRule({ kind, namespace, name, rule, ruleName }: RouteRule): string {
  return `${kind} ${namespace}/${name} rule ${rule}${ruleName === undefined ? "" : ` "${ruleName}"`}`;
}

/** `Gateway/shop/web/https` → `listener https of Gateway shop/web` */
export function nameSection(key: string): string {
  const [kind, namespace, name, section] = key.split("/");
  return `listener ${section} of ${kind} ${namespace}/${name}`;
}

/** `Service/shop/cart/8080|h2c` → `Service shop/cart:8080` */
export function nameBackend(key: string): string {
  const [kind, namespace, name, port] = key.split("|", 1)[0]!.split("/");
  return `${kind} ${namespace}/${name}${port === undefined ? "" : `:${port}`}`;
}

/** `Secret/shop/tls` → `Secret shop/tls` */
export function nameCertificate(key: string): string {
  const [kind, ...rest] = key.split("/");
  return `${kind} ${rest.join("/")}`;
}

export function nameTarget(target: BackendTarget): string {
  return target.type === "backend" ? nameBackend(target.backend) : `nowhere: ${target.reason}`;
}

export function nameAddress({ address, port }: { readonly address: string; readonly port: number }): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}

/** `a`, `a and b`, `a, b and c`; long lists are cut. */
export function listWords(words: readonly string[], most = 8): string {
  const shown =
    words.length > most ? [...words.slice(0, most - 1), `${words.length - most + 1} more`] : words;
  return shown.length < 2 ? (shown[0] ?? "") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

/** `1048576` → `1 MiB`; what is no whole number of a unit stays in a smaller one. */
export function nameSize(bytes: number): string {
  if (bytes > 0 && bytes % 2 ** 20 === 0) return `${bytes / 2 ** 20} MiB`;
  return bytes > 0 && bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} bytes`;
}

/** `1500` → `1.5s` */
export function nameDuration(milliseconds: number): string {
  return milliseconds % 1000 === 0 || milliseconds > 1000 ? `${milliseconds / 1000}s` : `${milliseconds}ms`;
}
