// What the tests of the operator on a lab have in common: the lab is prepared by the first test that asks, and an operator ends with its test.

import { afterAll, afterEach, type TestContext } from "vitest";
import type { KubernetesClient } from "../../src/kubernetes/index.ts";
import { useLab, type Lab, type LabOptions } from "../lab/lab.ts";
import {
  clientOf,
  installPlatformKind,
  kubernetesAccount,
  makeAccount,
  runOperator,
  type Account,
  type RunningOperator,
} from "./platform.ts";

type OperatorSettings = Parameters<typeof runOperator>[1];

export interface OperatorLab {
  /** `client` is the operator's own. */
  readonly begin: (context: TestContext) => Promise<{ readonly lab: Lab; readonly client: KubernetesClient }>;
  /** Runs until the test is over. */
  readonly run: (client: KubernetesClient, settings?: OperatorSettings) => RunningOperator;
}

export interface OperatorLabOptions {
  readonly lab?: LabOptions;
  readonly account?: Account;
  /** Before the account is made, once. */
  readonly prepare?: (lab: Lab) => Promise<void>;
}

export function useOperator(options: OperatorLabOptions = {}): OperatorLab {
  const { account = kubernetesAccount, prepare = installPlatformKind } = options;
  const useIt = useLab(options.lab);
  let prepared: Promise<KubernetesClient> | undefined;
  const running: RunningOperator[] = [];
  afterEach(async () => {
    for (const operator of running.splice(0)) await operator.stop();
  });
  afterAll(async () => {
    await (await prepared?.catch(() => undefined))?.close();
  });
  const make = async (lab: Lab) => {
    await prepare(lab);
    await makeAccount(lab, account);
    return clientOf(lab, account);
  };
  return {
    async begin(context) {
      const lab = await useIt(context);
      prepared ??= make(lab);
      return { lab, client: await prepared };
    },
    run(client, settings) {
      const operator = runOperator(client, settings);
      running.push(operator);
      return operator;
    },
  };
}
