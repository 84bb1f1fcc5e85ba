/**
 * Load balancers by the name that they are reached by. Neither API can be asked for a name, so all are listed: once for all who ask at a time, and again when a
 * name is asked for that is not in the list yet.
 */
import {
  DescribeLoadBalancersCommand as DescribeClassicCommand,
  ElasticLoadBalancingClient,
} from "@aws-sdk/client-elastic-load-balancing";
import {
  DescribeLoadBalancersCommand,
  ElasticLoadBalancingV2Client,
} from "@aws-sdk/client-elastic-load-balancing-v2";
import { checkAnswer } from "../answers.ts";
import { plainName } from "../record-values.ts";
import type { ClientConfig } from "./client-config.ts";

export interface LoadBalancer {
  readonly zoneId: string;
  readonly isDualStack: boolean;
}

const ofService = /[.]elb[.]|[.]elb-|[.]amazonaws[.]com([.]cn)?$/;
const pageSize = 400;

export class LoadBalancers {
  readonly #classic: ElasticLoadBalancingClient;
  readonly #current: ElasticLoadBalancingV2Client;
  #known: ReadonlyMap<string, LoadBalancer> = new Map();
  #running: Promise<void> | undefined;
  /** Begins when the running one has ended: it was perhaps begun before the load balancer was there. */
  #next: Promise<void> | undefined;

  constructor(config: ClientConfig) {
    this.#classic = new ElasticLoadBalancingClient(config);
    this.#current = new ElasticLoadBalancingV2Client(config);
  }

  /** Undefined: it is none of the service's. */
  async find(target: string): Promise<LoadBalancer | undefined> {
    const name = plainName(target).replace(/^dualstack[.]/, "");
    if (!ofService.test(name)) return undefined;
    const known = this.#known.get(name);
    if (known) return known;
    await this.#refresh();
    return this.#known.get(name);
  }

  stop(): void {
    this.#classic.destroy();
    this.#current.destroy();
  }

  #refresh(): Promise<void> {
    if (this.#running) {
      this.#next ??= this.#running
        .catch(() => undefined)
        .then(() => {
          this.#next = undefined;
          return this.#begin();
        });
      return this.#next;
    }
    return this.#begin();
  }

  #begin(): Promise<void> {
    const running = this.#listAll().finally(() => {
      this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  async #listAll(): Promise<void> {
    const [classic, current] = await Promise.all([this.#listClassic(), this.#listCurrent()]);
    this.#known = new Map([...classic, ...current]);
  }

  async #listClassic(): Promise<readonly [string, LoadBalancer][]> {
    const found: [string, LoadBalancer][] = [];
    let marker: string | undefined;
    do {
      const page = await this.#classic.send(
        new DescribeClassicCommand({ PageSize: pageSize, ...(marker && { Marker: marker }) }),
      );
      checkAnswer(page.LoadBalancerDescriptions !== undefined);
      for (const { DNSName: name, CanonicalHostedZoneNameID: zoneId } of page.LoadBalancerDescriptions ?? [])
        // Those that are reached over IPv6 have a second name, with `dualstack.` before the first; no field tells them.
        if (name && zoneId) found.push([plainName(name), { zoneId, isDualStack: false }]);
      marker = page.NextMarker;
    } while (marker);
    return found;
  }

  async #listCurrent(): Promise<readonly [string, LoadBalancer][]> {
    const found: [string, LoadBalancer][] = [];
    let marker: string | undefined;
    do {
      const page = await this.#current.send(
        new DescribeLoadBalancersCommand({ PageSize: pageSize, ...(marker && { Marker: marker }) }),
      );
      checkAnswer(page.LoadBalancers !== undefined);
      for (const balancer of page.LoadBalancers ?? []) {
        const { DNSName: name, CanonicalHostedZoneId: zoneId, IpAddressType: addresses } = balancer;
        const isDualStack = addresses?.startsWith("dualstack") === true;
        if (name && zoneId) found.push([plainName(name), { zoneId, isDualStack }]);
      }
      marker = page.NextMarker;
    } while (marker);
    return found;
  }
}
