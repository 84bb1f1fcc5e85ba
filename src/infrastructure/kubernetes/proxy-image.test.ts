import { expect, it } from "vitest";
import { proxyImage } from "./proxy-image.ts";

it.each([
  ["envoy", "registry:5000/gatewright:1", "envoy:2"],
  ["embedded", "registry:5000/gatewright:1", "registry:5000/gatewright:1"],
  ["nginx", "registry:5000/gatewright:1", "registry:5000/gatewright:1-nginx"],
  ["haproxy", "registry:5000/gatewright", "registry:5000/gatewright:haproxy"],
  ["haproxy", "gatewright@sha256:0123", "gatewright@sha256:0123"],
])("the image of a proxy of driver %s with %s is %s", (driver, gatewright, image) => {
  expect(proxyImage(driver, { envoy: "envoy:2", gatewright })).toBe(image);
});
