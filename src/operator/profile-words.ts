/** Names and messages, which each platform has its own of. */
import type { ProtectionWords } from "./crds/admission-policy.ts";
import type { UserRoleWords } from "./roles/user-roles.ts";

export interface ProfileWords extends ProtectionWords, UserRoleWords {
  /** Said of CRDs that do not belong to the expected set. */
  unexpectedMessage(names: readonly string[]): string;
  /** Said of CRDs that stand in the way of the next release. */
  incompatibleMessage(names: readonly string[]): string;
  /** A platform that calls an operator unavailable raises an alarm; a feature that is off is no reason for one. */
  readonly isAvailableWhenOff: boolean;
}
