// What a container's process finds in its environment, and the $(NAME) in its command line.

import { dnsService, kubernetesService, node, nodeName } from "../addresses.mjs";
import { resourceField } from "./quantities.mjs";

/** Something that a container refers to is not there (yet): it waits. */
export class MissingReferenceError extends Error {
  name = "MissingReferenceError";
}

/** pod: { object, addresses }; stores: `configMaps`, `secrets`. Returns a Map in the order of definition. */
export function environmentOf(container, pod, stores, image) {
  const { namespace, name: podName } = pod.object.metadata;
  const environment = new Map([
    ["PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
    ["HOME", "/root"],
    ["HOSTNAME", podName],
    ...Object.entries(image.env ?? {}),
    ["KUBERNETES_SERVICE_HOST", kubernetesService],
    ["KUBERNETES_SERVICE_PORT", "443"],
    ["KUBERNETES_SERVICE_PORT_HTTPS", "443"],
  ]);
  const entries = (store, kind, reference, decode) => {
    const object = store.get(namespace, reference.name);
    if (!object && !reference.optional)
      throw new MissingReferenceError(`${kind} "${reference.name}" not found`);
    return new Map(Object.entries(object?.data ?? {}).map(([key, value]) => [key, decode(value)]));
  };
  const configMap = (reference) => entries(stores.configMaps, "configmap", reference, (value) => value);
  const secret = (reference) => entries(stores.secrets, "secret", reference, decodeBase64);
  const pick = (values, reference) => {
    const value = values.get(reference.key);
    if (value === undefined && !reference.optional) {
      throw new MissingReferenceError(`couldn't find key ${reference.key} in ${namespace}/${reference.name}`);
    }
    return value;
  };

  for (const { prefix = "", configMapRef, secretRef } of container.envFrom ?? []) {
    const values = configMapRef ? configMap(configMapRef) : secretRef ? secret(secretRef) : new Map();
    for (const [key, value] of values) environment.set(prefix + key, value);
  }
  for (const { name, value = "", valueFrom } of container.env ?? []) {
    const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = valueFrom ?? {};
    let text;
    if (fieldRef) text = podField(pod, fieldRef.fieldPath);
    else if (resourceFieldRef) text = resourceField(container, resourceFieldRef);
    else if (configMapKeyRef) text = pick(configMap(configMapKeyRef), configMapKeyRef);
    else if (secretKeyRef) text = pick(secret(secretKeyRef), secretKeyRef);
    else text = expand(value, environment);
    if (text !== undefined) environment.set(name, text);
  }
  return environment;
}

/** $(NAME) becomes its value, $$ a dollar; an unknown name stays as it is. */
export function expand(text, environment) {
  return text.replace(/\$\$|\$\(([^()]+)\)/g, (match, name) =>
    match === "$$" ? "$" : (environment.get(name) ?? match),
  );
}

/** The downward API's fields. */
export function podField({ object, addresses }, path) {
  const { metadata, spec } = object;
  const [, list, key] = /^metadata[.](labels|annotations)\['(.+)'\]$/.exec(path) ?? [];
  if (list) return metadata[list]?.[key] ?? "";
  const lines = (record = {}) =>
    Object.entries(record)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
      .join("\n");
  switch (path) {
    case "metadata.name":
    case "metadata.namespace":
    case "metadata.uid":
      return metadata[path.slice("metadata.".length)];
    case "metadata.labels":
      return lines(metadata.labels);
    case "metadata.annotations":
      return lines(metadata.annotations);
    case "spec.nodeName":
      return nodeName;
    case "spec.serviceAccountName":
      return spec.serviceAccountName ?? "default";
    case "status.podIP":
      return addresses[0];
    case "status.podIPs":
      return addresses.join(",");
    case "status.hostIP":
    case "status.hostIPs":
      return node.ipv4;
    default:
      return "";
  }
}

/** The files of /etc that a Pod brings along. */
export function etcFiles({ object, addresses }) {
  const { metadata, spec } = object;
  const hostname = spec.hostname ?? metadata.name;
  const aliases = (spec.hostAliases ?? []).map(({ ip, hostnames = [] }) => `${ip} ${hostnames.join(" ")}`);
  const own = spec.hostNetwork ? [] : addresses.map((address) => `${address} ${hostname}`);
  const search = [`${metadata.namespace}.svc.cluster.local`, "svc.cluster.local", "cluster.local"].join(" ");
  const text = (...lines) => `${lines.join("\n")}\n`;
  return {
    "/etc/resolv.conf": text(`nameserver ${dnsService}`, `search ${search}`, "options ndots:5"),
    "/etc/hosts": text("127.0.0.1 localhost", "::1 localhost", ...own, ...aliases),
    "/etc/hostname": text(hostname),
  };
}

function decodeBase64(text) {
  return Buffer.from(text, "base64").toString("utf8");
}
