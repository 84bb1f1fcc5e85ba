export { adminPages, proxyPages } from "./admin-pages.ts";
export { adminServer, type AdminServer } from "./admin-server.ts";
export type { Metric, Sample } from "./metrics-text.ts";
