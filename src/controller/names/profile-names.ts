import { openshiftControllerNames, type Compat, type ProfileName } from "../../operator/profile-names.ts";
import { defaultControllerName } from "./controller-name.ts";

export { compats, profileNames, type Compat, type ProfileName } from "../../operator/profile-names.ts";

/** Of the classes that are ours on a platform, unless the admin says another. */
export function controllerNameOf(profile: ProfileName, compat: Compat): string {
  return profile === "openshift" ? openshiftControllerNames[compat] : defaultControllerName;
}
