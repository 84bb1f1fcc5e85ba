/** One world on all data planes: the objects are translated once, and each plane that claims what they need gets the model. */
import { modelKinds } from "../../src/model/index.ts";
import { parseResource, type Resource } from "../../src/resources/index.ts";
import { layers, Translated } from "../golden/translated.ts";
import { comparable } from "./comparable.ts";
import type { Outcome } from "./client.ts";
import { knownDifferences } from "./known-differences.ts";
import type { Model, Plane } from "./planes.ts";
import type { DifferentialRequest } from "./random-requests.ts";

/** `gateway`: the one that serves what is not of the Gateway API. */
export function modelOf(objects: readonly object[], gateway = layers.gateway as string): Model {
  const translated = new Translated({ allowLoopbackEndpoints: true, layers: { ...layers, gateway } });
  translated.set(...objects.map(resourceOf));
  return Object.fromEntries(
    modelKinds.map((kind) => [kind, new Map<string, unknown>(translated.model[kind].entries())]),
  ) as unknown as Model;
}

/** Objects are valid by construction; one that is not is a mistake of the generator. */
function resourceOf(object: object): Resource {
  const parsed = parseResource(object);
  if (parsed.outcome === "resource") return parsed.resource;
  throw new Error(`${JSON.stringify(object)}: ${JSON.stringify(parsed)}`);
}

/** Who can be asked: a driver that does not claim a feature is not sent objects that need it. */
export function planesFor(planes: readonly Plane[], needs: ReadonlySet<string>): Plane[] {
  return planes.filter(({ driver }) => [...needs].every((feature) => driver.features.has(feature)));
}

/** The differences, one line for each part of each answer. */
export async function compare(
  planes: readonly Plane[],
  requests: readonly DifferentialRequest[],
): Promise<string[]> {
  const [first, ...others] = await Promise.all(planes.map((plane) => sendAll(plane, requests)));
  return others.flatMap((outcomes, position) =>
    requests.flatMap((request, at) =>
      differences(planes[position + 1]!.name, request, outcomes[at]!, first![at]!),
    ),
  );
}

function differences(
  driver: string,
  request: DifferentialRequest,
  outcome: Outcome,
  reference: Outcome,
): string[] {
  const [found, expected] = [comparable(outcome), comparable(reference)];
  const parts = [...new Set([...expected.keys(), ...found.keys()])];
  // The other parts of an answer that has another status are another answer's.
  const compared = found.get("status") === expected.get("status") ? parts : ["status"];
  return compared
    .filter((part) => found.get(part) !== expected.get(part))
    .filter(
      (part) =>
        !knownDifferences.some(
          (known) => [driver, "embedded"].includes(known.driver) && known.concerns(request, part, outcome),
        ),
    )
    .map(
      (part) =>
        `${driver}: ${part} is ${found.get(part)}, not ${expected.get(part)} (status ${expected.get("status")}): ${JSON.stringify(request)}`,
    );
}

const atOnce = 6;

async function sendAll({ client }: Plane, requests: readonly DifferentialRequest[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let next = 0;
  const work = async () => {
    for (let at = next++; at < requests.length; at = next++) outcomes[at] = await client.send(requests[at]!);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return outcomes;
}
