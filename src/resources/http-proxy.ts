/**
 * Contour's HTTPProxy (`projectcontour.io/v1`). What is not served is read all the same, so that it can be refused with a reason.
 *
 * An empty text stands for none, as the API has it: its types leave empty fields out.
 */
import { httpProxyCondition } from "./http-proxy-condition.ts";
import { httpProxyRoute } from "./http-proxy-route.ts";
import { httpProxyTCPProxy } from "./http-proxy-service.ts";
import { httpProxyVirtualHost } from "./http-proxy-virtual-host.ts";
import { namespaced } from "./resource-schema.ts";
import { array } from "./schema-collections.ts";
import { object, optional, required } from "./schema-object.ts";
import { string } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

export const contourGroup = "projectcontour.io";

const include = object({
  name: required(string()),
  namespace: optional(string()),
  conditions: optional(array(httpProxyCondition)),
});
export type HTTPProxyInclude = Infer<typeof include>;

const httpProxySpec = object({
  virtualhost: optional(httpProxyVirtualHost),
  routes: optional(array(httpProxyRoute)),
  tcpproxy: optional(httpProxyTCPProxy),
  includes: optional(array(include)),
  ingressClassName: optional(string()),
});
export type HTTPProxySpec = Infer<typeof httpProxySpec>;

export const httpProxy = namespaced("HTTPProxy", { spec: required(httpProxySpec) });
export type HTTPProxy = Infer<typeof httpProxy>;
