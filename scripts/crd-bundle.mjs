// The CRDs of the pinned Gateway API release, both channels, as the operator installs them: from the Go module into a built folder,
// as operator/crds/bundle.json beside the program that reads it. They are never committed.

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadAll } from "js-yaml";
import { findGatewayApi, gatewayApiVersion } from "./gateway-api.mjs";

const channels = ["standard", "experimental"];

/** `module`: the folder of a release; `version`: of that release. */
export function readCrdBundle(module = findGatewayApi(), version = gatewayApiVersion) {
  if (!module) return undefined;
  return { version, channels: Object.fromEntries(channels.map((name) => [name, readChannel(module, name)])) };
}

function readChannel(module, channel) {
  const folder = join(module, "config", "crd", channel);
  const names = readdirSync(folder).filter((name) => /^gateway[.].*[.]yaml$/.test(name));
  const objects = names
    .toSorted()
    .flatMap((name) => loadAll(readFileSync(join(folder, name), "utf8")))
    .filter(Boolean);
  const ofKind = (kind) => objects.filter((object) => object.kind === kind);
  return {
    crds: ofKind("CustomResourceDefinition").map(({ status: _status, ...crd }) => ({
      ...crd,
      metadata: withoutTime(crd.metadata),
    })),
    safeUpgrades: {
      policy: ofKind("ValidatingAdmissionPolicy")[0],
      binding: ofKind("ValidatingAdmissionPolicyBinding")[0],
    },
  };
}

function withoutTime({ creationTimestamp: _time, ...metadata }) {
  return metadata;
}

/** Whether there was something to write. */
export function writeCrdBundle(folder) {
  const bundle = readCrdBundle();
  if (!bundle) return false;
  const file = join(folder, "operator", "crds", "bundle.json");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(bundle));
  return true;
}
