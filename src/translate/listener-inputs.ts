import type { Collection } from "../incremental/index.ts";
import type { Certificate } from "../model/index.ts";
import type { BindPorts } from "./bind-ports.ts";
import type { Judged } from "./certificates.ts";
import type { OwnGateway } from "./gateways.ts";
import type { ReferencePermissions } from "./reference-grants.ts";
import type { Resources } from "./resources.ts";
import type { Section } from "./section.ts";
import type { TranslateSettings } from "./settings.ts";

/** What the references of a listener are followed through. */
export interface ListenerInputs {
  readonly resources: Resources;
  readonly gateways: Collection<OwnGateway>;
  readonly sections: Collection<Section>;
  /** By the Gateway's key. */
  readonly bindPorts: Collection<BindPorts>;
  readonly keyPairs: Collection<Judged<Certificate>>;
  readonly permissions: ReferencePermissions;
  readonly settings: TranslateSettings;
}
