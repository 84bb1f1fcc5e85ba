export { driverByGateway, type ByGatewayOptions, type GatewayDrivers } from "./by-gateway.ts";
export type { ApplyReport, BoundAddress, Driver, ItemState, Report } from "./driver.ts";
export {
  embeddedDriver,
  type EmbeddedDescription,
  type EmbeddedOptions,
  type ListenerDescription,
} from "./embedded/index.ts";
export {
  ControllersDriverError,
  driverFromControllers,
  type BackendController,
  type CallFailure,
  type CertificateController,
  type Controllers,
  type FromControllersOptions,
  type ListenerController,
  type RouteConfiguration,
  type RouteController,
} from "./from-controllers/index.ts";
export type { HaproxyDescription, HaproxyDriver } from "./haproxy/index.ts";
export {
  nginxDriver,
  type NginxDescription,
  type NginxDriver,
  type NginxListenerDescription,
  type NginxOptions,
} from "./nginx/index.ts";
