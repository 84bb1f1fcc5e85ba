// The node's client of the API server. It shares nothing with the product's: a mistake there shall not look like a
// broken lab, nor hide behind one.

import { readFileSync } from "node:fs";
import { Agent, request as httpsRequest } from "node:https";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { apiServerPort, node } from "../addresses.mjs";

export class ApiError extends Error {
  name = "ApiError";
  constructor(status, body, what) {
    super(`${what}: ${status} ${body?.message ?? ""}`);
    this.status = status;
    this.reason = body?.reason;
  }
}

/** An administrator's client, with the certificates in the lab's folder. */
export function apiClient(folder) {
  const pki = (name) => readFileSync(join(folder, "pki", name));
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 32,
    ca: pki("ca.crt"),
    cert: pki("admin.crt"),
    key: pki("admin.key"),
  });
  // Watches stay open: they would use up the sockets of the others.
  const watchAgent = new Agent({ ...agent.options, maxSockets: Infinity });

  const send = (method, path, { body, type = "application/json", via = agent } = {}) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const headers = { accept: "application/json" };
      if (text !== undefined) {
        headers["content-type"] = type;
        headers["content-length"] = Buffer.byteLength(text);
      }
      const timeout = via === agent ? 30_000 : 0;
      const request = httpsRequest(
        { host: node.ipv4, port: apiServerPort, method, path, headers, agent: via, timeout },
        resolve,
      );
      request.on("timeout", () => request.destroy(new Error(`${method} ${path}: no answer within 30 s`)));
      request.on("error", reject).end(text);
    });

  const call = async (method, path, options) => {
    const response = await send(method, path, options);
    let text = "";
    for await (const chunk of response.setEncoding("utf8")) text += chunk;
    const parsed = parseJson(text);
    if (response.statusCode < 400) return parsed;
    throw new ApiError(response.statusCode, parsed, `${method} ${path}`);
  };

  return {
    get: (path) => call("GET", path),
    post: (path, body) => call("POST", path, { body }),
    put: (path, body) => call("PUT", path, { body }),
    patch: (path, body, type = "application/strategic-merge-patch+json") =>
      call("PATCH", path, { body, type }),
    delete: (path, body) => call("DELETE", path, { body }),
    /** The lines of a watch, for as long as the server goes on. */
    async watch(path) {
      const response = await send("GET", path, { via: watchAgent });
      if (response.statusCode >= 400) {
        let text = "";
        for await (const chunk of response.setEncoding("utf8")) text += chunk;
        throw new ApiError(response.statusCode, parseJson(text), `watch ${path}`);
      }
      return linesOf(response.setEncoding("utf8"));
    },
  };
}

/**
 * All objects at a path, kept up to date for ever. `changed(object, previous)` is called for each that is new, other
 * or gone (`object` undefined); `synced` resolves after the first list.
 */
export function watchStore(api, path, changed) {
  const objects = new Map();
  const keyOf = ({ metadata }) => `${metadata.namespace ?? ""}/${metadata.name}`;
  const set = (object) => {
    const key = keyOf(object);
    const previous = objects.get(key);
    objects.set(key, object);
    if (previous?.metadata.uid !== undefined && previous.metadata.uid !== object.metadata.uid) {
      changed(undefined, previous);
      changed(object, undefined);
    } else changed(object, previous);
  };
  const remove = (key, last) => {
    const previous = objects.get(key) ?? last;
    objects.delete(key);
    if (previous) changed(undefined, previous);
  };

  const list = async () => {
    const { items, metadata } = await api.get(path);
    const keys = new Set(items.map(keyOf));
    for (const key of objects.keys()) if (!keys.has(key)) remove(key);
    for (const object of items) {
      if (objects.get(keyOf(object))?.metadata.resourceVersion !== object.metadata.resourceVersion)
        set(object);
    }
    return metadata.resourceVersion;
  };
  const follow = async (from) => {
    let version = from;
    const query = `watch=true&allowWatchBookmarks=true&timeoutSeconds=600&resourceVersion=${version}`;
    for await (const line of await api.watch(`${path}?${query}`)) {
      const event = parseJson(line);
      if (!event || event.type === "ERROR") return undefined;
      version = event.object.metadata.resourceVersion;
      if (event.type === "DELETED") remove(keyOf(event.object), event.object);
      else if (event.type !== "BOOKMARK") set(event.object);
    }
    return version;
  };

  let resolveSynced;
  const synced = new Promise((resolve) => (resolveSynced = resolve));
  const run = async () => {
    let version;
    for (;;) {
      try {
        version ??= await list();
        resolveSynced();
        version = await follow(version);
      } catch (error) {
        // A connection that broke while the server went away may have lost its last lines: look at everything anew.
        version = undefined;
        if (!(error instanceof ApiError) && error.code !== "ECONNREFUSED")
          console.error(`watch ${path}:`, error.message);
        await delay(200 + Math.random() * 200);
      }
    }
  };
  void run();
  return { objects, synced, get: (namespace, name) => objects.get(`${namespace}/${name}`) };
}

async function* linesOf(stream) {
  let rest = "";
  for await (const text of stream) {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    yield* lines;
  }
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
