/** Backends that are stopped when the test is over. */
import { onTestFinished } from "vitest";
import {
  startGrpcBackend,
  type GrpcBackend,
  type GrpcBackendOptions,
} from "../../../src/driver-kit/traffic/grpc.ts";
import {
  startHttpBackend,
  type HttpBackend,
  type HttpBackendOptions,
} from "../../../src/driver-kit/traffic/http-backend.ts";
import {
  startTcpBackend,
  startUdpBackend,
  type StreamBackend,
} from "../../../src/driver-kit/traffic/stream-backend.ts";

function untilTheEnd<T extends { stop(): Promise<void> }>(backend: T): T {
  onTestFinished(() => backend.stop());
  return backend;
}

export async function httpBackend(
  name: string,
  options: Omit<HttpBackendOptions, "name"> = {},
): Promise<HttpBackend> {
  return untilTheEnd(await startHttpBackend({ name, ...options }));
}

export async function grpcBackend(
  name: string,
  options: Omit<GrpcBackendOptions, "name"> = {},
): Promise<GrpcBackend> {
  return untilTheEnd(await startGrpcBackend({ name, ...options }));
}

export async function tcpBackend(name: string): Promise<StreamBackend> {
  return untilTheEnd(await startTcpBackend(name));
}

export async function udpBackend(name: string): Promise<StreamBackend> {
  return untilTheEnd(await startUdpBackend(name));
}
