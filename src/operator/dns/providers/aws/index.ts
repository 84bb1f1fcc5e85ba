/**
 * Amazon Route 53. A zone is named by id, or by tags that one zone alone has. A CNAME whose target is a load balancer of Elastic Load Balancing is published as an
 * alias: an A set, with an AAAA set beside it if the load balancer is dual-stack. Both look like one CNAME with a `targetZone` from outside.
 *
 * `change` is one ChangeBatch, all or none. What was found is deleted as it was found and the new set created, which Route 53 refuses if anything else
 * stands there by then; a set that was not looked for is put over whatever stands.
 */
import { Route53Client } from "@aws-sdk/client-route-53";
import {
  DnsError,
  type DnsProvider,
  type DnsProviderInputs,
  type DnsZone,
  type RecordSet,
  type RecordSetChange,
} from "../../provider.ts";
import { attempt, secretsOf } from "../failure.ts";
import { requireSetting } from "../given.ts";
import { applyChanges } from "./change-batches.ts";
import { clientConfig, type AwsEndpoints } from "./client-config.ts";
import { awsFailure } from "./failures.ts";
import { HostedZones } from "./hosted-zones.ts";
import { LoadBalancers } from "./load-balancers.ts";
import { listSets, type StandingSet } from "./standing-sets.ts";

export function createProvider(given: DnsProviderInputs, endpoints: AwsEndpoints = {}): DnsProvider {
  return new Route53Provider(given, endpoints);
}

class Route53Provider implements DnsProvider {
  readonly name = "aws";
  readonly maxChanges = 100;
  readonly #route53: Route53Client;
  readonly #zones: HostedZones;
  readonly #balancers: LoadBalancers;
  readonly #secrets: readonly string[];
  /** What a set that was found looks like to Route 53. */
  readonly #standing = new WeakMap<RecordSet, StandingSet>();

  constructor(given: DnsProviderInputs, endpoints: AwsEndpoints) {
    requireSetting(given.settings, "region");
    const { credentials } = given;
    this.#secrets = secretsOf(
      ...["aws_access_key_id", "aws_secret_access_key", "aws_session_token", "credentials"].map((key) =>
        credentials.get(key),
      ),
    );
    this.#route53 = new Route53Client(clientConfig(given, endpoints.route53, endpoints));
    this.#zones = new HostedZones(this.#route53);
    this.#balancers = new LoadBalancers(clientConfig(given, endpoints.loadBalancing, endpoints));
  }

  async look(zone: DnsZone, names: readonly string[]): Promise<readonly RecordSet[]> {
    if (names.length === 0) return [];
    return this.#attempt("list the records of", zone, async (id) => {
      const found = await listSets(this.#route53, id, names);
      for (const standing of found) this.#standing.set(standing.set, standing);
      return found.map(({ set }) => set);
    });
  }

  async change(zone: DnsZone, changes: readonly RecordSetChange[]): Promise<void> {
    if (changes.length === 0) return;
    await this.#attempt("change the records of", zone, (id) =>
      applyChanges(changes, {
        client: this.#route53,
        zoneId: id,
        standingOf: (set) => this.#standing.get(set),
        isDualStack: (target) => this.#isDualStack(target),
      }),
    );
  }

  /** 1.8.2: remembered by the caller, for the day when the load balancer is gone. */
  async targetZone(target: string): Promise<string | undefined> {
    try {
      return (await this.#balancers.find(target))?.zoneId;
    } catch (error) {
      if (error instanceof DnsError) throw error;
      throw awsFailure(`find the load balancer ${target}`, error, this.#secrets);
    }
  }

  async stop(): Promise<void> {
    this.#route53.destroy();
    this.#balancers.stop();
  }

  /** Which load balancer it is, is known by its zone already: failing to learn more costs the AAAA set alone. */
  async #isDualStack(target: string): Promise<boolean> {
    const balancer = await this.#balancers.find(target).catch(() => undefined);
    return balancer?.isDualStack ?? target.startsWith("dualstack.");
  }

  #attempt<Result>(doing: string, zone: DnsZone, work: (id: string) => Promise<Result>): Promise<Result> {
    const failure = (what: string, error: unknown) => awsFailure(what, error, this.#secrets);
    return attempt(doing, zone, failure, async () => work(await this.#zones.idOf(zone)));
  }
}
