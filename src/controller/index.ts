export {
  createController,
  type Controller,
  type ControllerEvents,
  type ControllerOptions,
} from "./controller.ts";
