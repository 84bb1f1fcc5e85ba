// Annotations whitelist-source-range (allowlist-source-range) and denylist-source-range. The address is that of whoever opened the connection: what a header says of it is anybody's word.

import { parseAddressRange, type ClientAddresses } from "../../model/index.ts";
import { fieldOf, type Annotations } from "./annotations.ts";
import type { RemarkList } from "./remark-list.ts";

export type JudgedAddresses =
  { readonly clientAddresses: ClientAddresses | undefined } | { readonly blocked: string };

export function judgeAddresses(annotations: Annotations, remarks: RemarkList): JudgedAddresses {
  const allowing = annotations.text("allowlist-source-range") === undefined ? "whitelist" : "allowlist";
  const lists = { allow: `${allowing}-source-range`, deny: "denylist-source-range" } as const;
  for (const name of Object.values(lists)) {
    const bad = annotations.list(name)?.find((text) => parseAddressRange(text) === undefined);
    if (bad === undefined) continue;
    const message = `${JSON.stringify(bad)} is no address and no range, such as 192.0.2.0/24; requests are answered with 500 until it is mended`;
    remarks.error("InvalidAnnotation", fieldOf(name), message);
    return { blocked: `${fieldOf(name)} cannot be read` };
  }
  const allow = annotations.list(lists.allow);
  const deny = annotations.list(lists.deny);
  return {
    clientAddresses:
      allow || deny ? { ...(allow && { allow }), ...(deny && { deny }), source: "peer" } : undefined,
  };
}
