/** How the operator is, as conditions: what was found and done, put into words. */
import type { Gate } from "../resources/index.ts";
import type { Verdict } from "../status/index.ts";
import type { CrdSurvey } from "./crds/crd-survey.ts";
import type { DeadFields } from "./crds/dead-fields.ts";
import type { PreUpgrade } from "./crds/pre-upgrade.ts";
import type { ProfileWords } from "./profile-words.ts";
import type { Maturity } from "./settings.ts";

/**
 * What the operator does about the CRDs:
 *   managed     they are ours
 *   unmanaged   the admin has said so
 *   held        they were unmanaged and are others than expected: not overwritten
 *   kept        by the unsupported override
 */
export type CrdStance = "managed" | "unmanaged" | "held" | "kept";

export interface RelatedObject {
  readonly group: string;
  readonly resource: string;
  readonly namespace?: string;
  /** Empty: all of them. */
  readonly name: string;
}

export interface Health {
  /** Available, Progressing, Degraded, Upgradeable. */
  readonly conditions: readonly Verdict[];
  /** Of the CRDs' management; empty while nothing is known of them. */
  readonly crdConditions: readonly Verdict[];
  readonly unmanagedCrds: readonly string[];
  readonly deadFields: readonly DeadFields[];
  /** Whether the admin has to agree before the next release. */
  readonly needsConsent: boolean;
  /** False: what the gate asks is not looked after in this state. */
  readonly isConsentKnown: boolean;
  readonly versions: readonly { readonly name: string; readonly version: string }[];
  /** What we have made beside what every platform has. */
  readonly related: readonly RelatedObject[];
}

export interface HealthFacts {
  readonly words: ProfileWords;
  readonly maturity: Maturity;
  readonly versions: Health["versions"];
}

export interface OnFacts extends HealthFacts {
  readonly stance: CrdStance;
  readonly survey: CrdSurvey;
  /** What could not be done, again and again. */
  readonly failures: readonly string[];
  readonly deadFields: readonly DeadFields[];
  /** The gate `GatewayAPIController`. */
  readonly servesClasses: boolean;
  /** Of installing a mesh, where one is asked for: what stands in the way, and what is worth knowing. */
  readonly conflicts: readonly string[];
  readonly warnings: readonly string[];
  readonly related: readonly RelatedObject[];
  /** Of what is tried out. */
  readonly gates: readonly Gate[];
  /** A Subscription that nobody needs any more. */
  readonly orphan?: string | undefined;
  /** What an install of a mesh waits for. */
  readonly waitingFor: readonly string[];
}

export function healthWhenOn(facts: OnFacts): Health {
  const { survey, deadFields, versions } = facts;
  return {
    conditions: [available(facts), progressing(facts), degraded(facts), upgradeableWhenOn(facts)],
    crdConditions: crdConditions(facts),
    unmanagedCrds: survey.unexpected,
    deadFields,
    needsConsent: false,
    isConsentKnown: false,
    versions,
    related: facts.related,
  };
}

/** `preUpgrade`: only in a release that does not manage the CRDs unless asked. */
export function healthWhenOff({
  words,
  versions,
  preUpgrade,
}: HealthFacts & { readonly preUpgrade?: PreUpgrade | undefined }): Health {
  const message =
    "The feature gate GatewayAPI is off: nothing is managed, and what is served goes on being served.";
  const incompatible = preUpgrade?.incompatible ?? [];
  return {
    conditions: [
      condition("Available", words.isAvailableWhenOff, "FeatureGateDisabled", message),
      condition("Progressing", false, "FeatureGateDisabled", message),
      condition("Degraded", false, "FeatureGateDisabled", message),
      incompatible.length > 0
        ? condition(
            "Upgradeable",
            false,
            "GatewayAPICRDsNotCompatible",
            words.incompatibleMessage(incompatible),
          )
        : condition("Upgradeable", true, "Upgradeable", ""),
    ],
    crdConditions: [],
    unmanagedCrds: [],
    deadFields: [],
    needsConsent: preUpgrade?.needsConsent ?? false,
    isConsentKnown: preUpgrade !== undefined,
    versions,
    related: [],
  };
}

function available({ survey, stance, servesClasses }: OnFacts): Verdict {
  if (stance === "unmanaged" || stance === "held") {
    return condition(
      "Available",
      true,
      "Unmanaged",
      "The CRDs are not managed, and Gatewright writes nothing.",
    );
  }
  if (survey.isServed && !servesClasses) {
    const message =
      "The CRDs are there; the feature gate GatewayAPIController is off, so nothing serves them.";
    return condition("Available", true, "ControllerDisabled", message);
  }
  if (survey.isServed) return condition("Available", true, "AsExpected", "The Gateway API is served.");
  return condition("Available", false, "GatewayAPICRDsNotServed", `Not served yet: ${waiting(survey)}.`);
}

function progressing({ survey, stance, waitingFor }: OnFacts): Verdict {
  const isDone = survey.isServed && survey.missing.length === 0 && survey.mismatching.length === 0;
  if (stance !== "managed" || isDone) {
    return waitingFor.length > 0
      ? condition("Progressing", true, "InstallingMesh", `Waiting for ${waitingFor.join(", ")}.`)
      : condition("Progressing", false, "AsExpected", "");
  }
  const message = `Gateway API ${survey.version}, ${survey.channel} channel, is being put in place: ${waiting(survey)}.`;
  return condition("Progressing", true, "ApplyingCRDs", message);
}

function waiting({ missing, mismatching }: CrdSurvey): string {
  const names = [...missing.map(({ metadata }) => metadata.name), ...mismatching.map(({ name }) => name)];
  return names.length > 0 ? names.toSorted().join(", ") : "the API server has not taken up all CRDs";
}

function degraded({ survey, stance, failures, words, conflicts, warnings, orphan }: OnFacts): Verdict {
  const experimental = survey.mismatching.filter(({ isExperimental }) => isExperimental);
  const unexpected = [...survey.unexpected, ...experimental.map(({ name }) => name)].toSorted();
  const problems = [
    ...(stance === "managed" && unexpected.length > 0 ? [words.unexpectedMessage(unexpected)] : []),
    ...failures,
  ];
  if (problems.length > 0) {
    return condition("Degraded", true, "GatewayAPICRDsDegraded", [...problems, ...conflicts].join("\n"));
  }
  if (conflicts.length > 0) {
    const message = `Another mesh stands in the way: ${conflicts.join("; ")}.`;
    return condition("Degraded", true, "GatewayAPIInstallConflict", message);
  }
  if (warnings.length > 0) {
    const message = `The mesh is somebody else's: ${warnings.join("; ")}.`;
    return condition("Degraded", false, "GatewayAPIInstallWarnings", message);
  }
  return orphan === undefined
    ? condition("Degraded", false, "AsExpected", "")
    : condition(
        "Degraded",
        false,
        "OrphanedOSSMSubscription",
        `The mesh is installed without OLM, and Subscription ${orphan} is left over: delete it if nobody else needs its operator.`,
      );
}

function upgradeableWhenOn({ maturity, gates }: OnFacts): Verdict {
  if (gates.length > 0) {
    const message = `Experiments that are not for production are on (${gates.join(", ")}): the CRDs have fields that no release of the Gateway API has, and that the next release may not know. Turn the gates off first.`;
    return condition("Upgradeable", false, "ExperimentalGates", message);
  }
  return maturity === "general"
    ? condition("Upgradeable", true, "Upgradeable", "")
    : condition(
        "Upgradeable",
        false,
        "FeatureGateInPreview",
        `The feature gate GatewayAPI is on, and it is a ${maturity === "dev-preview" ? "developer" : "technology"} preview: there is no way from it to the next release.`,
      );
}

function crdConditions({ survey, stance }: OnFacts): readonly Verdict[] {
  const expected = `${survey.version}, ${survey.channel} channel`;
  const odd = survey.mismatching.map(({ name, how }) => `${name} ${how}`);
  const gone = survey.missing.map(({ metadata }) => `${metadata.name} is missing`);
  const managed = {
    managed: condition("GatewayAPICRDsManaged", true, "ManagedByIngressOperator", `Held at ${expected}.`),
    unmanaged: condition(
      "GatewayAPICRDsManaged",
      false,
      "Unmanaged",
      "They are somebody else's, as was asked.",
    ),
    held: condition(
      "GatewayAPICRDsManaged",
      false,
      "Unmanaged",
      `They are not overwritten: delete them, or put ${expected} in their place.`,
    ),
    kept: condition(
      "GatewayAPICRDsManaged",
      false,
      "UnsupportedConfigOverride",
      "They are left as they are by unsupportedConfigOverrides.keepCRDs.",
    ),
  }[stance];
  const isCompliant = odd.length === 0 && gone.length === 0;
  return [
    managed,
    survey.isAnyPresent
      ? condition("GatewayAPICRDsPresent", true, "CRDsFound", "There are CRDs of the Gateway API.")
      : condition("GatewayAPICRDsPresent", false, "CRDsNotFound", "There are no CRDs of the Gateway API."),
    isCompliant
      ? condition("GatewayAPICRDsCompliant", true, "VersionMatch", `All are ${expected}.`)
      : condition(
          "GatewayAPICRDsCompliant",
          false,
          "VersionMismatch",
          `Expected is ${expected}, but ${[...odd, ...gone].join(", ")}.`,
        ),
  ];
}

function condition(type: string, is: boolean, reason: string, message: string): Verdict {
  return { type, status: is ? "True" : "False", reason, message };
}
