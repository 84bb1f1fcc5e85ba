/** Planes of one driver, and sites on them whose backend answers with bytes of its own. All of it ends with the test. */
import { afterEach, type TestContext } from "vitest";
import { backendItem, endpointsItem, rule } from "../../../src/driver-kit/items.ts";
import { Plane, type Site } from "../../../src/driver-kit/plane.ts";
import type { Driver } from "../../../src/drivers/index.ts";
import type { RuleAction } from "../../../src/model/index.ts";
import { need } from "../../components/need.ts";
import { bytesBackend } from "../../http-backends.ts";

export function planesOf(component: string, createDriver: () => Driver) {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  async function started(context: TestContext): Promise<Plane> {
    need(context, component);
    const driver = createDriver();
    const plane = new Plane(driver, { createDriver: () => driver });
    ends.push(() => plane.stop());
    await plane.start();
    return plane;
  }

  async function siteOf(
    context: TestContext,
    answer: Parameters<typeof bytesBackend>[0],
    action: Partial<RuleAction> = {},
  ): Promise<Site> {
    const plane = await started(context);
    const server = await bytesBackend(answer);
    ends.push(() => server.close());
    const backend = backendItem("raw");
    const backends = [{ weight: 1, target: { type: "backend", backend: backend.key } as const }];
    return plane.serve([rule("/", { backends, ...action })], {
      backends: [backend],
      endpoints: [endpointsItem(backend, server.port)],
    });
  }

  return { started, siteOf, ends };
}
