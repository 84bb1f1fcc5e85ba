export { RenderedModel, type RenderedChange } from "./rendered-model.ts";
export type { RenderSettings } from "./settings.ts";
