export type { AdminPage } from "./admin-page.ts";
export { adminPages, proxyPages, readinessPages } from "./admin-pages.ts";
export { adminServer, type AdminServer } from "./admin-server.ts";
export type { Metric, Sample } from "./metrics-text.ts";
