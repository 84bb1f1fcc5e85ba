/** Where an admin's wishes come from and where health goes to: the only things that differ between platforms. */
import type { RecordedEvent } from "../kubernetes/index.ts";
import type { DnsDialect } from "./dns/dns-settings.ts";
import type { Health } from "./health.ts";
import type { KeptObject } from "./kept-objects.ts";
import type { ProfileWords } from "./profile-words.ts";
import type { PlatformSettings } from "./settings.ts";

export interface ProfileHandler {
  changed(settings: PlatformSettings): void;
  trouble(where: string, message: string | undefined): void;
}

export interface Profile {
  readonly words: ProfileWords;
  readonly dnsDialect: DnsDialect;
  /** What the platform's monitoring is told to make of our numbers. Absent: there is none. */
  readonly telemetry?: readonly KeptObject[];
  /** From here on the handler is told what is asked for. Until the gate is on nothing but the gate is watched. */
  follow(handler: ProfileHandler): void;
  /** Writes what differs from what stands there. */
  report(health: Health): Promise<void>;
  /** The object that the health is in, on which events are recorded. */
  readonly subject: RecordedEvent["object"];
  stop(): void;
}
