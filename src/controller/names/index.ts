/** What a command line or a page needs to know before anything runs: loads fast, and nothing of the machinery. */
export { defaultAdminAddress, type AdminAddress } from "./admin-address.ts";
export { driverNames, type DriverName } from "./driver-names.ts";
export { findKinds, kindWords, type FoundKinds, type NamedKind } from "./kind-names.ts";
export {
  defaultControllerName,
  defaultIngressClasses,
  defaultIngressControllers,
  outsideControllerName,
} from "./controller-name.ts";
export {
  compats,
  controllerNameOf,
  dataPlanes,
  defaultMesh,
  profileNames,
  type Compat,
  type ProfileName,
} from "./profile-names.ts";
export { describeGates } from "./gates.ts";
export { gateNames, gates, nearest, type Gate } from "../../resources/index.ts";
