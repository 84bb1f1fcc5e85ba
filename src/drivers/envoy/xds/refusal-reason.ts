import type { ItemState } from "../../driver.ts";

type Reason = Extract<ItemState, { type: "refused" }>["reason"];

/** Why a listener can't be opened, as far as the machine is the reason: then it is worth trying again. */
export function refusalReason(message: string): Reason | undefined {
  if (/cannot assign requested address|address not available|cannot bind .*(errno|error) 99/i.test(message)) {
    return "AddressNotUsable";
  }
  if (/address already in use|permission denied|duplicate address|cannot bind/i.test(message))
    return "PortUnavailable";
  return undefined;
}

/** Envoy's words, in a length that a status can take. */
export function shorten(message: string, length = 1024): string {
  const words = message.trim();
  return words.length <= length ? words : `${words.slice(0, length - 1)}…`;
}
