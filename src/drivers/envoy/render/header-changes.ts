import { connectionHeaders, type HeaderChanges, type HeaderValue } from "../../../model/index.ts";
import type { HeaderValueOption } from "../generated/messages.ts";

/** Envoy removes first, then overwrites, then appends: the model's own order. */
export interface RenderedRequestHeaders {
  readonly requestHeadersToRemove?: readonly string[];
  readonly requestHeadersToAdd?: readonly HeaderValueOption[];
}

export interface RenderedResponseHeaders {
  readonly responseHeadersToRemove?: readonly string[];
  readonly responseHeadersToAdd?: readonly HeaderValueOption[];
}

/** What frames a message or belongs to the connection is nobody's to change but the proxy's. */
export const untouchable: ReadonlySet<string> = new Set([...connectionHeaders, "content-length", "host"]);

export function renderRequestHeaders(changes: HeaderChanges | undefined): RenderedRequestHeaders {
  const { remove, add } = render(changes);
  return {
    ...(remove.length > 0 ? { requestHeadersToRemove: remove } : {}),
    ...(add.length > 0 ? { requestHeadersToAdd: add } : {}),
  };
}

export function renderResponseHeaders(
  changes: HeaderChanges | undefined,
  alsoRemove: readonly string[] = [],
): RenderedResponseHeaders {
  const { remove, add } = render(changes);
  const all = [...remove, ...alsoRemove];
  return {
    ...(all.length > 0 ? { responseHeadersToRemove: all } : {}),
    ...(add.length > 0 ? { responseHeadersToAdd: add } : {}),
  };
}

/** One change that does what two do one after the other. */
export function chainHeaderChanges(
  first: HeaderChanges | undefined,
  second: HeaderChanges | undefined,
): HeaderChanges | undefined {
  if (!first || !second) return first ?? second;
  const replaced = new Set([...second.remove, ...second.set.map(({ name }) => name)]);
  const stays = ({ name }: HeaderValue) => !replaced.has(name);
  return {
    remove: [...first.remove, ...second.remove],
    set: [...first.set.filter(stays), ...second.set],
    add: [...first.add.filter(stays), ...second.add],
  };
}

/** A Host that is set by a header change. */
export function hostSetBy(changes: HeaderChanges | undefined): string | undefined {
  return changes?.set.find(({ name }) => name === "host")?.value;
}

export function setHeader(name: string, value: string): HeaderValueOption {
  return {
    header: { key: name, value: literal(value) },
    appendAction: "OVERWRITE_IF_EXISTS_OR_ADD",
    keepEmptyValue: true,
  };
}

/** Envoy formats values: `%` begins a command there. */
export function literal(value: string): string {
  return value.replaceAll("%", "%%");
}

function render(changes: HeaderChanges | undefined): {
  readonly remove: readonly string[];
  readonly add: readonly HeaderValueOption[];
} {
  if (!changes) return { remove: [], add: [] };
  return {
    remove: changes.remove.filter(isTouchable),
    add: [
      ...changes.set.filter(isUsable).map(({ name, value }) => setHeader(name, value)),
      ...changes.add.filter(isUsable).map(({ name, value }): HeaderValueOption => ({
        header: { key: name, value: literal(value) },
        appendAction: "APPEND_IF_EXISTS_OR_ADD",
        keepEmptyValue: true,
      })),
    ],
  };
}

const fieldName = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;

function isTouchable(name: string): boolean {
  return fieldName.test(name) && !untouchable.has(name);
}

/** What may be set: all that can be in a message without ending it or being about its connection. */
export function isUsable({ name, value }: HeaderValue): boolean {
  // oxlint-disable-next-line no-control-regex -- these are the bytes that no header value may have
  return isTouchable(name) && !/[\0-\x08\x0a-\x1f\x7f]/.test(value);
}
