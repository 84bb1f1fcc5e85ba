/** Kubernetes' ConfigMap. */
import { namespaced } from "./resource-schema.ts";
import { emptyRecord, map } from "./schema-collections.ts";
import { defaulted } from "./schema-object.ts";
import { string } from "./schema-scalars.ts";
import { base64, judgeDataKey } from "./object-data.ts";
import type { Infer } from "./schema.ts";

export const configMap = namespaced(
  "ConfigMap",
  {
    data: defaulted(map(string(), { judgeKey: judgeDataKey }), emptyRecord),
    /** Base64 text. */
    binaryData: defaulted(map(base64, { judgeKey: judgeDataKey }), emptyRecord),
  },
  { open: true },
);
export type ConfigMap = Infer<typeof configMap>;
