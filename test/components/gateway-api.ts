// Where the Gateway API's own Go module is: its CRDs are what our schemas are compared with.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { TestContext } from "vitest";
import { gatewayApiModule, gatewayApiVersion } from "../../scripts/gateway-api.mjs";
import { componentNamed, missingMessage, mustHaveAll } from "./components.mjs";

const module = `${gatewayApiModule}@${gatewayApiVersion}`;
const run = promisify(execFile);

/** What a test needs is not on this machine; the message has the command that gets it. */
export class MissingComponentError extends Error {
  override readonly name = "MissingComponentError";
  readonly code = "MISSING_COMPONENT";
}

/** The folder of the module: the one that GATEWRIGHT_GATEWAY_API_DIR names, or Go's module cache, filled if need be. */
export async function gatewayApiDirectory(): Promise<string> {
  const given = process.env["GATEWRIGHT_GATEWAY_API_DIR"];
  if (given !== undefined && given !== "") return given;
  const go = componentNamed("go");
  const program = go.find();
  if (program === undefined) throw new MissingComponentError(missingMessage(go));
  let output: string;
  try {
    ({ stdout: output } = await run(program, ["mod", "download", "-json", module], { timeout: 120_000 }));
  } catch (cause) {
    const command = `go mod download ${module}`;
    throw new MissingComponentError(`${module} could not be downloaded; get it with: ${command}`, { cause });
  }
  const { Dir: directory } = JSON.parse(output) as { Dir: string };
  return directory;
}

/** The same, in a test that is skipped where the module cannot be had (on CI it fails). */
export async function needGatewayApi(context: TestContext): Promise<string> {
  try {
    return await gatewayApiDirectory();
  } catch (error) {
    if (!(error instanceof MissingComponentError) || mustHaveAll()) throw error;
    return context.skip(error.message);
  }
}
