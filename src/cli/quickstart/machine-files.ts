/*
 * What a cluster would add to the example's objects: the addresses behind the Services, and a certificate. It stands in a
 * temporary folder that only this user can read, because of the key, and is gone when the quick start ends.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeSelfSigned } from "../../controller/index.ts";
import { renderValue } from "../check/object-list.ts";
import type { DemoBackend } from "./demo-backend.ts";

export interface MachineFiles {
  readonly folder: string;
  /** The certificate alone, for clients that shall trust it. */
  readonly certificate: string;
  remove(): Promise<void>;
}

export async function writeMachineFiles(backends: readonly DemoBackend[]): Promise<MachineFiles> {
  const folder = await mkdtemp(join(tmpdir(), "gatewright-quickstart-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const { certificate, privateKey } = await makeSelfSigned(["localhost", "127.0.0.1", "::1"]);
    const path = join(folder, "localhost.crt");
    await writeFile(path, certificate);
    await writeFile(join(folder, "certificate.yaml"), renderSecret(certificate, privateKey), { mode: 0o600 });
    await writeFile(join(folder, "endpoints.yaml"), backends.map(renderEndpoints).join("---\n"));
    return { folder, certificate: path, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

function renderSecret(certificate: string, privateKey: string): string {
  return renderValue(
    {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "localhost" },
      type: "kubernetes.io/tls",
      stringData: { "tls.crt": certificate, "tls.key": privateKey },
    },
    "yaml",
  );
}

function renderEndpoints({ name, port }: DemoBackend): string {
  return renderValue(
    {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { name, labels: { "kubernetes.io/service-name": name } },
      addressType: "IPv4",
      ports: [{ name: "http", port }],
      endpoints: [{ addresses: ["127.0.0.1"] }],
    },
    "yaml",
  );
}
