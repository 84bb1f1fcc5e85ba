/** What is needed to talk to one API server. */
export interface Credentials {
  /** `https://10.96.0.1:443`, perhaps with a path before `/api`. */
  readonly server: URL;
  /** An HTTP proxy by which it is reached, `http:` or `https:`. */
  readonly proxy?: URL | undefined;
  /** Of the kubeconfig's context, or the Pod's own. */
  readonly namespace: string;
  /** For a new connection; read anew each time, so that certificates may rotate. */
  tls(): Promise<ConnectionSecurity>;
  /** For a new request: authorization and impersonation. */
  headers(): Promise<Readonly<Record<string, string | string[]>>>;
  /** The server did not know who we are (401): what is cached is no good any more. */
  refused(): void;
}

/** As `tls.connect` takes it. */
export interface ConnectionSecurity {
  readonly ca?: string | Buffer;
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}
