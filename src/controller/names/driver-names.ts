/** By which drivers are chosen. */
export const driverNames = ["embedded", "envoy", "haproxy"] as const;

export type DriverName = (typeof driverNames)[number];
