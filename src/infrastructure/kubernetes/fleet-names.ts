import type { Fleet } from "../../translate/index.ts";
import { dnsLabel, safeName } from "./safe-name.ts";

/** How the objects of a fleet are called and found. Another platform may have other habits. */
export interface FleetNames {
  /** Of the Deployment, the Service and all the rest; each kind has one object per fleet. */
  name(fleet: Fleet): string;
  /** Of the Secret by which the proxies get into the channel. */
  secretName(fleet: Fleet): string;
  /** By which the Service and the Deployment find their Pods; immutable in a Deployment. */
  selector(fleet: Fleet): Readonly<Record<string, string>>;
  /** On every object, beside those of the selector. */
  labels(fleet: Fleet): Readonly<Record<string, string>>;
  /** A port of the Service by which load balancers ask whether a proxy is ready, and learn nothing else. Absent: there is none. */
  readonly readiness?: { readonly name: string; readonly port: number };
}

const gatewayNameLabel = "gateway.networking.k8s.io/gateway-name";
const classNameLabel = "gateway.networking.k8s.io/gateway-class-name";
export const managedByLabel = "app.kubernetes.io/managed-by";
export const managedByValue = "gatewright";

/** GEP-1762: `<gateway>-<class>`, with the Gateway's name in a label. */
export const standardNames: FleetNames = {
  name: ({ name, className }) => dnsLabel(`${name}-${className}`),
  secretName: ({ name, className }) => dnsLabel(`${name}-${className}-channel`),
  selector: ({ name, className }) => ({
    [gatewayNameLabel]: safeName(name),
    [classNameLabel]: safeName(className),
  }),
  labels: ({ name }) => ({
    "app.kubernetes.io/name": "gatewright",
    "app.kubernetes.io/component": "proxy",
    "app.kubernetes.io/instance": safeName(name),
  }),
};
