export { freePort } from "../src/driver-kit/traffic/free-port.ts";
