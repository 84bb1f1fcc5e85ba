/** By which drivers are chosen. */
export const driverNames = ["embedded"] as const;

export type DriverName = (typeof driverNames)[number];
