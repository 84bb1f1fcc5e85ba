import type { Service, ServicePort } from "../resources/index.ts";

/** A port of a Service by its number; the same number may stand for TCP and for UDP. */
export function findServicePort(
  { spec }: Service,
  port: number,
  transport: ServicePort["protocol"],
): ServicePort | undefined {
  return spec.ports.find((one) => one.port === port && one.protocol === transport);
}

/** The ports of a Service as a sentence goes on: `it has 8080, 53 (UDP)`. */
export function describePorts({ spec }: Service): string {
  if (spec.ports.length === 0) return "it has no ports";
  const ports = spec.ports.map(({ port, protocol }) =>
    protocol === "TCP" ? `${port}` : `${port} (${protocol})`,
  );
  return `it has ${ports.join(", ")}`;
}
