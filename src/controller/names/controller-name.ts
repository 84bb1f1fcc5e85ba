export {
  defaultControllerName,
  defaultIngressClasses,
  defaultIngressControllers,
} from "../../translate/settings.ts";

/** Of a gateway that serves a cluster's objects from outside of it, beside whoever serves them inside. */
export const outsideControllerName = "gatewright.dev/out-of-cluster";
