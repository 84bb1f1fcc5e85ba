export {
  HttpService,
  type HttpConnection,
  type HttpServiceOptions,
  type HttpTables,
} from "./http-service.ts";
export { compileVirtualHost, type CompiledVirtualHost } from "./compiled-virtual-host.ts";
export type { AccessLog, AccessRecord } from "./access-log.ts";
export { HttpMetrics, type StatusClassCounts } from "./metrics.ts";
export type { HttpLimits } from "./limits.ts";
