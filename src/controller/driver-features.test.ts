import { expect, it } from "vitest";
import { driverFeatures } from "./driver-features.ts";
import { chooseDriver } from "./driver-list.ts";
import { driverNames } from "./names/index.ts";

it.each(driverNames)("%s states itself what is known of it", (name) => {
  expect(chooseDriver(name).driver.features).toEqual(driverFeatures[name]);
});
