/** What the content of a route has to know of the Gateway that it is translated for. */
export interface GatewayView {
  /** `namespace/name` */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  /** What statuses on its behalf are signed with. */
  readonly controllerName: string;
  /** What its proxy can do. */
  readonly features: ReadonlySet<string>;
  /** `Certificate` key of what is shown to backends that are spoken to by TLS. */
  readonly clientCertificate?: string;
}
