/** Trust bundles of out-of-cluster gateways (GEP-3951): the CA certificates by which a gateway and a mesh know each other. */
import { kind, namespaceName, objectName } from "./api-scalars.ts";
import { defaulted, object, optional, required } from "./schema-object.ts";
import { string } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

const fields = {
  kind: defaulted(
    kind.describe("ConfigMap. CA certificates are not private, so they do not belong in Secrets."),
    "ConfigMap",
  ),
  name: required(objectName.describe("Of the ConfigMap.")),
  bundleKey: defaulted(
    string({
      minLength: 1,
      maxLength: 253,
      pattern: { source: "^[-._a-zA-Z0-9]+$", is: "a key of a ConfigMap, such as ca-bundle.crt" },
    }).describe("The key of the ConfigMap that has the certificates, PEM-encoded."),
    "ca-bundle.crt",
  ),
};

/** In the Gateway's own namespace unless it says another. */
export const gatewayTrustBundle = object({
  ...fields,
  namespace: optional(namespaceName.describe("The Gateway's own unless said otherwise.")),
});

export const meshTrustBundle = object({ ...fields, namespace: required(namespaceName) });
export type TrustBundle = Infer<typeof gatewayTrustBundle>;
