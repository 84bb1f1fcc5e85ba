import type { ModelChanges, ModelKind } from "../model/index.ts";

/**
 * Programs one kind of proxy. What goes in are model changes, what comes back are apply reports.
 * Life-cycle: construct (no I/O) → start → apply … → stop.
 */
export interface Driver {
  readonly name: string;
  /** Names from `features` in `src/model`: only what the proxy does right. */
  readonly features: ReadonlySet<string>;
  /** Makes ready to take changes. Rejects if the proxy can't run here. */
  start(report: Report): Promise<void>;
  /**
   * Brings the changes into force, after all changes handed over before. Within one call, what is referred to comes
   * before what refers to it, and removals come last, so that no request falls in between. Resolves
   * when every connected proxy has taken or refused each change; with none connected, at once. An item that
   * a proxy refuses is reported, and its last good version stays in force. Rejects only if nothing could be done at all.
   */
  apply(changes: ModelChanges): Promise<void>;
  /** Drains and ends everything that was started. */
  stop(): Promise<void>;
}

export type Report = (reports: readonly ApplyReport[]) => void;

/**
 * The state of one item on the proxies. Listeners are reported always, before `apply` resolves; other items only when a proxy
 * refuses them, and once more when that is over.
 */
export interface ApplyReport {
  readonly kind: ModelKind;
  readonly key: string;
  readonly state: ItemState;
}

export type ItemState =
  | {
      readonly type: "programmed";
      /** Listeners: where clients reach it, as `address:port` pairs, if the driver knows. */
      readonly addresses?: readonly BoundAddress[];
    }
  /** Not yet: no proxy is connected (`isAbsent`), or it has not answered. */
  | { readonly type: "pending"; readonly message: string; readonly isAbsent?: true }
  | {
      readonly type: "refused";
      /** Listeners: why, as far as the API tells the cases apart. */
      readonly reason?: "PortUnavailable" | "AddressNotUsable";
      /** The proxy's own words. */
      readonly message: string;
    };

export interface BoundAddress {
  readonly address: string;
  readonly port: number;
}
