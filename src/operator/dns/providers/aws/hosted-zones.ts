/** The zone that a platform means: its id, or the one zone that has its tags. */
import {
  ListHostedZonesCommand,
  ListTagsForResourcesCommand,
  type Route53Client,
} from "@aws-sdk/client-route-53";
import { DnsError, type DnsZone } from "../../provider.ts";
import { checkAnswer } from "../answers.ts";

/** ListTagsForResources takes no more. */
const mostIds = 10;

export class HostedZones {
  readonly #client: Route53Client;
  /** By tags. A zone keeps its id. */
  readonly #known = new Map<string, Promise<string>>();

  constructor(client: Route53Client) {
    this.#client = client;
  }

  async idOf({ id, tags = {} }: DnsZone): Promise<string> {
    if (id) return plainId(id);
    const wanted = Object.entries(tags).toSorted(([a], [b]) => (a < b ? -1 : 1));
    if (wanted.length === 0) throw new DnsError("the zone has neither an id nor tags");
    const key = JSON.stringify(wanted);
    const known = this.#known.get(key) ?? this.#find(wanted);
    this.#known.set(key, known);
    try {
      return await known;
    } catch (error) {
      this.#known.delete(key);
      throw error;
    }
  }

  async #find(wanted: readonly (readonly [string, string])[]): Promise<string> {
    const ids = await this.#listIds();
    const matching: string[] = [];
    for (let i = 0; i < ids.length; i += mostIds) {
      const { ResourceTagSets: sets = [] } = await this.#client.send(
        new ListTagsForResourcesCommand({
          ResourceType: "hostedzone",
          ResourceIds: ids.slice(i, i + mostIds),
        }),
      );
      for (const { ResourceId: id, Tags: tags = [] } of sets) {
        const has = new Map(tags.map(({ Key: tag, Value: value }) => [tag, value ?? ""]));
        if (id !== undefined && wanted.every(([tag, value]) => has.get(tag) === value)) matching.push(id);
      }
    }
    const [only, ...more] = matching;
    const said = wanted.map(([tag, value]) => `${tag}=${value}`).join(", ");
    if (only === undefined) throw new DnsError(`no hosted zone has the tags ${said}`);
    if (more.length === 0) return plainId(only);
    throw new DnsError(`several hosted zones have the tags ${said}: ${matching.join(", ")}`);
  }

  async #listIds(): Promise<readonly string[]> {
    const ids: string[] = [];
    let marker: string | undefined;
    do {
      const page = await this.#client.send(
        new ListHostedZonesCommand({ MaxItems: 100, ...(marker !== undefined && { Marker: marker }) }),
      );
      checkAnswer(page.IsTruncated !== undefined);
      ids.push(...(page.HostedZones ?? []).flatMap(({ Id: id }) => (id ? [plainId(id)] : [])));
      marker = page.IsTruncated ? page.NextMarker : undefined;
    } while (marker !== undefined);
    return ids;
  }
}

/** Also of `/hostedzone/Z1` and of `arn:aws:route53:::hostedzone/Z1`. */
function plainId(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}
