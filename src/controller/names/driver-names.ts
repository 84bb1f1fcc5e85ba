/** By which drivers are chosen. */
export const driverNames = ["embedded", "envoy", "haproxy", "nginx"] as const;

export type DriverName = (typeof driverNames)[number];
