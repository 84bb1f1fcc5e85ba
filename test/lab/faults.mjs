// What may go wrong with a control plane, on demand.

import { setTimeout as delay } from "node:timers/promises";

export function clusterFaults({ etcd, apiServer, controllerManager, ready, etcdAddress }) {
  let slowness;
  const ask = async (path, body) => {
    const response = await fetch(`${etcdAddress}/v3/${path}`, { method: "POST", body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`etcd ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const faults = {
    /** Ends it like a crash does; every connection breaks. */
    killApiServer: () => apiServer.stop("SIGKILL"),
    /** Lets it say good-bye to its watches. */
    stopApiServer: () => apiServer.stop("SIGTERM", 30_000),
    async startApiServer() {
      apiServer.start();
      await ready();
    },
    async restartApiServer() {
      await faults.killApiServer();
      await faults.startApiServer();
    },
    /** Connections stay open, nothing answers. */
    pauseApiServer: () => apiServer.signal("SIGSTOP"),
    resumeApiServer: () => apiServer.signal("SIGCONT"),
    /** It runs only in that share of the time, in turns of a tenth of a second, until `normal()`. */
    slowApiServer(share) {
      slowness?.abort();
      slowness = new AbortController();
      void alternate(apiServer, share, slowness.signal);
    },
    normal() {
      slowness?.abort();
      slowness = undefined;
      apiServer.signal("SIGCONT");
    },
    /** Forgets all old versions: a watch that resumes from one gets 410 Gone (once the API server's own memory is gone too). */
    async compactEtcd() {
      const { header } = await ask("kv/range", { key: "AA==" });
      await ask("kv/compaction", { revision: header.revision, physical: true });
    },
    pauseEtcd: () => etcd.signal("SIGSTOP"),
    resumeEtcd: () => etcd.signal("SIGCONT"),
    /** Without it nothing makes Pods of Deployments, endpoints of Pods, or removes what is orphaned. */
    pauseControllerManager: () => controllerManager.signal("SIGSTOP"),
    resumeControllerManager: () => controllerManager.signal("SIGCONT"),
  };
  return faults;
}

async function alternate(process, share, signal) {
  const turn = 100;
  try {
    while (!signal.aborted) {
      process.signal("SIGCONT");
      await delay(turn * share, undefined, { signal });
      process.signal("SIGSTOP");
      await delay(turn * (1 - share), undefined, { signal });
    }
  } catch {
    // Normal again: whoever ended it lets the process go on.
  }
}
