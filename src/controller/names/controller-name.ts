export { defaultControllerName } from "../../translate/settings.ts";
