/**
 * A page of a proxy or a portal in between may be answered with 200, and SDKs make an empty answer of it. An empty zone that is none would have us believe that names are removed, so what the
 * service always says must be there.
 */
import { DnsError } from "../provider.ts";

export function checkAnswer(isTheService: boolean): void {
  if (isTheService) return;
  throw new DnsError("what was answered is not the service's: is there a proxy in between?");
}
