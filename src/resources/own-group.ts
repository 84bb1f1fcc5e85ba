/** Of the kinds that are Gatewright's own. */
export const ownGroup = "gatewright.dev";
