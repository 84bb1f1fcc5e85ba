/** What does not come from the model. */
export interface RenderSettings {
  /** Where a listener binds that has no addresses of its own. */
  readonly addresses: readonly string[];
  /** A file with the authorities that the machine of the proxy trusts. */
  readonly systemRoots: string;
  /** The file that access records go to; absent: none are written. */
  readonly accessLog?: string;
  /** Counters of each backend. */
  readonly statisticsPerBackend?: boolean;
}
