// A Pod's volumes: folders on the node, filled from ConfigMaps, Secrets, tokens and the Pod itself, and kept up to date.

import { chmodSync, chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { MissingReferenceError, podField } from "./environment.mjs";
import { resourceField } from "./quantities.mjs";
import { writeVersioned } from "./volume-files.mjs";

const defaultMode = 0o644;

/** node: { api, configMaps, secrets }; pod: { object, addresses, folder }. */
export function podVolumes(node, pod) {
  const { spec, metadata } = pod.object;
  const fsGroup = spec.securityContext?.fsGroup;
  const written = new Map(); // volume → fingerprint of what is in it
  const tokens = new Map(); // volume/path → { token, renewAt }
  const pathOf = (name) => join(pod.folder, "volumes", name);

  /** Brings every volume up to date; throws MissingReferenceError while something is not there yet. */
  const write = async () => {
    for (const volume of spec.volumes ?? []) {
      if (volume.hostPath) continue;
      const folder = pathOf(volume.name);
      if (!written.has(volume.name)) makeFolder(folder, isVersioned(volume));
      if (!isVersioned(volume)) written.set(volume.name, "");
      else await writeFiles(volume, folder);
    }
  };
  const writeFiles = async (volume, folder) => {
    const files = await filesOf(volume);
    const fingerprint = JSON.stringify(
      [...files].map(([path, { data, mode }]) => [path, data.toString("base64"), mode]),
    );
    if (written.get(volume.name) === fingerprint) return;
    writeVersioned(folder, files);
    written.set(volume.name, fingerprint);
  };
  const makeFolder = (folder, versioned) => {
    mkdirSync(folder, { recursive: true });
    if (fsGroup !== undefined) chownSync(folder, 0, fsGroup);
    chmodSync(folder, versioned ? 0o755 : fsGroup === undefined ? 0o777 : 0o2777);
  };

  const filesOf = async (volume) => {
    const files = new Map();
    const source = volume.projected ?? volume.secret ?? volume.configMap ?? volume.downwardAPI;
    const mode = source.defaultMode ?? defaultMode;
    for (const part of volume.projected?.sources ?? [volume]) {
      for (const [path, file] of await partOf(part, volume.name)) {
        const own = {
          mode: file.mode ?? mode,
          data: file.data,
          ...(file.uid === undefined ? {} : { uid: file.uid }),
        };
        files.set(path, fsGroup === undefined ? own : { ...own, gid: fsGroup, mode: own.mode | 0o440 });
      }
    }
    return files;
  };
  const partOf = async (part, volumeName) => {
    if (part.secret) {
      const { secretName, name = secretName } = part.secret;
      return pick(node.secrets, "secret", { ...part.secret, name });
    }
    if (part.configMap) return pick(node.configMaps, "configmap", part.configMap);
    if (part.serviceAccountToken) return tokenFile(part.serviceAccountToken, volumeName);
    return (part.downwardAPI?.items ?? []).map(({ path, mode, fieldRef, resourceFieldRef }) => {
      const container = spec.containers.find(({ name }) => name === resourceFieldRef?.containerName);
      const text = fieldRef ? podField(pod, fieldRef.fieldPath) : resourceField(container, resourceFieldRef);
      return [path, { data: Buffer.from(text), mode }];
    });
  };
  const pick = (store, kind, { name, items, optional }) => {
    const object = store.get(metadata.namespace, name);
    if (!object) {
      if (optional) return [];
      throw new MissingReferenceError(`${kind} "${name}" not found`);
    }
    const isSecret = kind === "secret";
    const data = new Map([
      ...Object.entries(object.data ?? {}).map(([key, text]) => [
        key,
        Buffer.from(text, isSecret ? "base64" : "utf8"),
      ]),
      ...Object.entries(object.binaryData ?? {}).map(([key, text]) => [key, Buffer.from(text, "base64")]),
    ]);
    if (!items) return [...data].map(([key, bytes]) => [key, { data: bytes }]);
    return items.flatMap(({ key, path, mode }) => {
      const bytes = data.get(key);
      if (bytes !== undefined) return [[path, { data: bytes, mode }]];
      if (optional) return [];
      throw new MissingReferenceError(`${kind} "${name}" has no key "${key}"`);
    });
  };

  // Bound to the Pod: it is worth nothing once the Pod is gone. Renewed at four fifths of its time, as a kubelet does.
  const tokenFile = async ({ path, audience, expirationSeconds = 3600 }, volumeName) => {
    const key = `${volumeName}/${path}`;
    let known = tokens.get(key);
    if (!known || Date.now() > known.renewAt) {
      const account = spec.serviceAccountName ?? "default";
      const { status } = await node.api.post(
        `/api/v1/namespaces/${metadata.namespace}/serviceaccounts/${account}/token`,
        {
          apiVersion: "authentication.k8s.io/v1",
          kind: "TokenRequest",
          spec: {
            ...(audience ? { audiences: [audience] } : {}),
            expirationSeconds,
            boundObjectRef: { apiVersion: "v1", kind: "Pod", name: metadata.name, uid: metadata.uid },
          },
        },
      );
      const lifetime = Date.parse(status.expirationTimestamp) - Date.now();
      known = { token: status.token, renewAt: Date.now() + lifetime * 0.8 };
      tokens.set(key, known);
    }
    return [[path, { data: Buffer.from(known.token), ...tokenOwner() }]];
  };
  // Readable by the one user who needs it, if there is only one.
  const tokenOwner = () => {
    if (fsGroup !== undefined) return { mode: 0o640 };
    const users = new Set(
      [...(spec.initContainers ?? []), ...spec.containers].map(
        ({ securityContext }) => securityContext?.runAsUser ?? spec.securityContext?.runAsUser,
      ),
    );
    const [user] = users;
    return users.size === 1 && user !== undefined ? { uid: user, mode: 0o600 } : { mode: 0o644 };
  };

  return {
    write,
    /** Does a change of this object concern the Pod? */
    refersTo: (kind, name) =>
      (spec.volumes ?? []).some((volume) =>
        (volume.projected?.sources ?? [volume]).some((part) =>
          kind === "secret"
            ? (part.secret?.secretName ?? part.secret?.name) === name
            : part.configMap?.name === name,
        ),
      ),
    /** Where a volume is, and whether containers may write there. */
    source(name) {
      const volume = spec.volumes?.find((candidate) => candidate.name === name);
      return volume?.hostPath
        ? { path: volume.hostPath.path, readOnly: false }
        : { path: pathOf(name), readOnly: isVersioned(volume) };
    },
  };
}

function isVersioned({ projected, secret, configMap, downwardAPI }) {
  return Boolean(projected ?? secret ?? configMap ?? downwardAPI);
}
