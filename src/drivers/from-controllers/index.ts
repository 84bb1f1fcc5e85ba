export type {
  BackendController,
  CertificateController,
  Controllers,
  ListenerController,
  RouteConfiguration,
  RouteController,
} from "./controllers.ts";
export { driverFromControllers, type FromControllersOptions } from "./driver-from-controllers.ts";
