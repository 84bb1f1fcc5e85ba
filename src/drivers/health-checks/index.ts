export { HealthChecks } from "./health-checks.ts";
