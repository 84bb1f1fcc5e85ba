import { openshiftControllerNames, type Compat, type ProfileName } from "../../operator/profile-names.ts";
import { defaultMesh } from "../../operator/mesh/mesh-settings.ts";
import { defaultControllerName } from "./controller-name.ts";

export { compats, profileNames, type Compat, type ProfileName } from "../../operator/profile-names.ts";

/** What serves the classes of a platform: we ourselves, or OpenShift Service Mesh. */
export const dataPlanes = ["native", "ossm"] as const;

export { defaultMesh };

/** Of the classes that are ours on a platform, unless the admin says another. */
export function controllerNameOf(profile: ProfileName, compat: Compat): string {
  return profile === "openshift" ? openshiftControllerNames[compat] : defaultControllerName;
}
