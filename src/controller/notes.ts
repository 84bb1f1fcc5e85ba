import { certificateNotes } from "./certificate-notes.ts";
import type { Controller } from "./controller.ts";
import { endpointNotes } from "./missing-endpoints.ts";
import type { Note } from "./note.ts";
import { unreachableRules } from "./unreachable-rules.ts";

export function collectNotes(controller: Controller, now: Date): readonly Note[] {
  return [
    ...certificateNotes(controller, now),
    ...unreachableRules(controller.model),
    ...endpointNotes(controller),
  ];
}
