/*
 * Envoy's side of the channel: aggregated delta xDS, and nothing else. A stream is handed to the driver of the Gateway that its
 * certificate names; if there is none yet, because we have only just started, it waits a little.
 */
import type { ChannelClient, ChannelService, ChannelStream } from "../../../channel/index.ts";

export type Connect = (stream: ChannelStream, client: ChannelClient) => void;

export interface EnvoyControlPlane {
  /** For the channel's list of services. */
  readonly service: ChannelService;
  /** Streams of this Gateway's proxies go to `connect` from now on. Returns the way out. */
  attach(gateway: string, connect: Connect): () => void;
}

export interface ControlPlaneOptions {
  /** How long a proxy may wait for its Gateway to be known, ms. */
  readonly patience?: number;
}

interface Waiting {
  readonly stream: ChannelStream;
  readonly client: ChannelClient;
  readonly timer: NodeJS.Timeout;
}

export function envoyControlPlane({ patience = 30_000 }: ControlPlaneOptions = {}): EnvoyControlPlane {
  const attached = new Map<string, Connect>();
  const waiting = new Map<string, Set<Waiting>>();

  const wait = (stream: ChannelStream, client: ChannelClient) => {
    const { gateway } = client;
    const others = waiting.get(gateway) ?? new Set();
    const timer = setTimeout(() => {
      others.delete(one);
      if (others.size === 0) waiting.delete(gateway);
      stream.close(`Gateway ${gateway} is not served here`);
    }, patience).unref();
    const one = { stream, client, timer };
    waiting.set(gateway, others.add(one));
  };

  return {
    service: {
      path: "/envoy.service.discovery.v3.AggregatedDiscoveryService/DeltaAggregatedResources",
      open(stream, client) {
        const connect = attached.get(client.gateway);
        if (connect) connect(stream, client);
        else wait(stream, client);
      },
    },
    attach(gateway, connect) {
      attached.set(gateway, connect);
      for (const { stream, client, timer } of waiting.get(gateway) ?? []) {
        clearTimeout(timer);
        connect(stream, client);
      }
      waiting.delete(gateway);
      return () => {
        if (attached.get(gateway) === connect) attached.delete(gateway);
      };
    },
  };
}
