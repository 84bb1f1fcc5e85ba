/** Kubernetes' Secret. Its values never appear in a problem. */
import { base64, judgeDataKey } from "./object-data.ts";
import { namespaced } from "./resource-schema.ts";
import { emptyRecord, map } from "./schema-collections.ts";
import { defaulted, optional } from "./schema-object.ts";
import { string } from "./schema-scalars.ts";
import { Schema, type Infer } from "./schema.ts";

const written = namespaced(
  "Secret",
  {
    type: defaulted(string(), "Opaque"),
    /** Base64 text. */
    data: defaulted(map(base64, { judgeKey: judgeDataKey }), emptyRecord),
    stringData: optional(map(string({ secret: true }), { judgeKey: judgeDataKey })),
  },
  { open: true },
);

/** A Secret as the API server stores it: `stringData` has been put into `data`. */
export type Secret = Omit<Infer<typeof written>, "stringData">;

export const secret = new Schema<Secret>(written.node, (input, reading) => {
  const { stringData, ...stored } = written.read(input, { ...reading, hidesValues: true });
  if (stringData === undefined || reading.problems.length > 0) return stored;
  const data: Record<string, string> = Object.assign(Object.create(null), stored.data);
  for (const [name, text] of Object.entries(stringData))
    data[name] = Buffer.from(text, "utf8").toString("base64");
  return { ...stored, data };
});
