import { allFeatures } from "../../model/index.ts";

/** What Envoy does right, by the API's names. */
export const envoyFeatures: ReadonlySet<string> = allFeatures;
