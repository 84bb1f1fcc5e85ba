export type {
  BackendController,
  CertificateController,
  Controllers,
  ListenerController,
  RouteConfiguration,
  RouteController,
} from "./controllers.ts";
export { ControllersDriverError, type ControllersDriverErrorCode } from "./driver-error.ts";
export { driverFromControllers, type FromControllersOptions } from "./driver-from-controllers.ts";
export type { CallFailure } from "./pass.ts";
