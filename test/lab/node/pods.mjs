// Which Pods run here: all of them. There is one node and no scheduler, so the node also takes what nobody has placed.

import { setTimeout as delay } from "node:timers/promises";
import { nodeName } from "../addresses.mjs";
import { watchStore } from "./api.mjs";
import { createPod } from "./pod.mjs";

const retryBinding = 300;

/** node: see pod.mjs. */
export function runPods(node) {
  const running = new Map(); // uid → pod
  const say = (error) => console.error(error.message);

  // Tried again until it is bound or gone: the API server says 409 to whatever kept it from binding.
  const binding = new Set();
  const bind = async ({ metadata: { namespace, name, uid } }) => {
    if (binding.has(uid)) return;
    binding.add(uid);
    const isWaiting = () => {
      const known = store.get(namespace, name);
      return known?.metadata.uid === uid && !known.spec.nodeName && !known.metadata.deletionTimestamp;
    };
    do {
      try {
        await node.api.post(`/api/v1/namespaces/${namespace}/pods/${name}/binding`, {
          apiVersion: "v1",
          kind: "Binding",
          metadata: { name, namespace, uid },
          target: { apiVersion: "v1", kind: "Node", name: nodeName },
        });
        break;
      } catch (error) {
        if (error.status === 404) break;
        say(error);
        await delay(retryBinding);
      }
    } while (isWaiting());
    binding.delete(uid);
  };

  // Its object goes when its processes have gone, not before.
  const finish = async (object) => {
    const { metadata } = object;
    const grace = metadata.deletionGracePeriodSeconds ?? object.spec.terminationGracePeriodSeconds ?? 30;
    await running.get(metadata.uid)?.stop(grace * 1000);
    running.delete(metadata.uid);
    const remove = () =>
      node.api.delete(`/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`, {
        gracePeriodSeconds: 0,
        preconditions: { uid: metadata.uid },
      });
    for (let attempt = 0; attempt < 50; attempt++) {
      try {
        await remove();
        return;
      } catch (error) {
        if (error.status === 404 || error.status === 409) return;
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
    }
  };

  const finishing = new Set();
  const changed = (object, previous) => {
    if (!object) {
      const pod = running.get(previous.metadata.uid);
      if (pod && !finishing.has(pod.uid)) void pod.stop(0).then(() => running.delete(pod.uid));
      finishing.delete(previous.metadata.uid);
      return;
    }
    const { metadata, spec, status } = object;
    if (metadata.deletionTimestamp) {
      if (finishing.has(metadata.uid)) return;
      finishing.add(metadata.uid);
      finish(object).catch(say);
    } else if (!spec.nodeName) void bind(object);
    else if (spec.nodeName !== nodeName) return;
    else if (running.has(metadata.uid)) running.get(metadata.uid).update(object);
    else if (status?.phase !== "Succeeded" && status?.phase !== "Failed") {
      running.set(metadata.uid, createPod(node, object));
    }
  };
  const store = watchStore(node.api, "/api/v1/pods", changed);

  return {
    synced: store.synced,
    referenceChanged(kind, { metadata }) {
      for (const pod of running.values()) pod.referenceChanged(kind, metadata.name);
    },
    log(namespace, name, container, previous) {
      const uid = store.get(namespace, name)?.metadata.uid;
      return running.get(uid)?.log(container, previous);
    },
    stop: () => Promise.all([...running.values()].map((pod) => pod.stop(0))),
  };
}
