export { itemKey, type ItemState, type ItemStates } from "./item-states.ts";
export type { AnyRoute, Resources } from "./resources.ts";
export { defaultControllerName, type TranslateSettings } from "./settings.ts";
export { translate, type ModelCollections, type Translation } from "./translation.ts";
