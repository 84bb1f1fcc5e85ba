// A Pod's status, from what its containers are doing.

import { node } from "../addresses.mjs";

/**
 * pod: { object, addresses, phase, isInitialized, startTime }; containers and initContainers: views (container.mjs).
 * `previous` conditions keep their times where nothing changed.
 */
export function podStatus(pod, { initContainers, containers }, previous = []) {
  const isReady = pod.phase === "Running" && containers.every(({ ready }) => ready);
  const gates = pod.object.spec.readinessGates ?? [];
  const foreign = new Map((pod.object.status?.conditions ?? []).map(({ type, status }) => [type, status]));
  const passesGates = gates.every(({ conditionType }) => foreign.get(conditionType) === "True");
  const unready = containers.filter(({ ready }) => !ready).map(({ name }) => name);
  const condition = (type, holds, reason, message) => {
    const status = holds ? "True" : "False";
    const before = previous.find((candidate) => candidate.type === type);
    const lastTransitionTime =
      before?.status === status ? before.lastTransitionTime : new Date().toISOString();
    return {
      type,
      status,
      lastTransitionTime,
      ...(holds ? { reason: null, message: null } : { reason, message }),
    };
  };
  const message = `containers with unready status: [${unready.join(" ")}]`;
  return {
    phase: pod.phase,
    hostIP: node.ipv4,
    hostIPs: [{ ip: node.ipv4 }],
    ...(pod.addresses.length > 0
      ? { podIP: pod.addresses[0], podIPs: pod.addresses.map((ip) => ({ ip })) }
      : {}),
    startTime: pod.startTime,
    qosClass: pod.object.status?.qosClass,
    conditions: [
      condition("PodScheduled", true),
      condition("PodReadyToStartContainers", pod.addresses.length > 0),
      condition(
        "Initialized",
        pod.isInitialized,
        "ContainersNotInitialized",
        "init containers have not ended",
      ),
      condition("ContainersReady", isReady, "ContainersNotReady", message),
      condition(
        "Ready",
        isReady && passesGates,
        isReady ? "ReadinessGatesNotReady" : "ContainersNotReady",
        message,
      ),
    ],
    initContainerStatuses: initContainers.map((view) =>
      containerStatus(view, pod.object.spec.initContainers, true),
    ),
    containerStatuses: containers.map((view) => containerStatus(view, pod.object.spec.containers, false)),
  };
}

function containerStatus({ name, state, lastState, ready, started, restartCount }, specs, isInit) {
  const { image, restartPolicy } = specs.find((spec) => spec.name === name);
  // An init container that has done its work counts as ready.
  const isDone = isInit && restartPolicy !== "Always" && state.terminated?.exitCode === 0;
  return {
    name,
    image,
    imageID: image,
    state,
    lastState,
    ready: ready || isDone,
    started,
    restartCount,
  };
}
