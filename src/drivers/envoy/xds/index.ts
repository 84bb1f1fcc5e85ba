export { envoyControlPlane, type EnvoyControlPlane } from "./control-plane.ts";
export { Fleet, type FleetDescription } from "./fleet.ts";
export { encodeResource } from "./resource.ts";
