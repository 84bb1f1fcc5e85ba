/** By which platforms are chosen, and what a platform calls us. Loads fast, and nothing of the machinery. */
export const profileNames = ["kubernetes", "openshift"] as const;
export type ProfileName = (typeof profileNames)[number];

/** Of OpenShift's names: `proposal`, those of the design; `shipped`, those of what came of it. */
export const compats = ["proposal", "shipped"] as const;
export type Compat = (typeof compats)[number];

/** The name of the classes that are ours where an admin does not say another. */
export const openshiftControllerNames: Readonly<Record<Compat, string>> = {
  proposal: "openshift.io/gateway-controller",
  shipped: "openshift.io/gateway-controller/v1",
};
