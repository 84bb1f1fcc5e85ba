/** What a backend saw of a request. It answers with this as JSON, so that the client knows who answered and to what. */
export interface SeenRequest {
  readonly backend: string;
  /** The port of the endpoint. */
  readonly endpoint: number;
  /** Counts the connections of the endpoint, from 1. */
  readonly connection: number;
  readonly protocol: "HTTP/1.0" | "HTTP/1.1" | "HTTP/2";
  readonly method: string;
  /** Path and query as they arrived. */
  readonly target: string;
  /** The Host header or `:authority`. */
  readonly host: string;
  /** Names lower-case, in the order of arrival, repeated ones repeated; pseudo-headers left out. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly tls?: SeenTls;
}

export interface SeenTls {
  readonly serverName: string | undefined;
  /** Common name of the certificate that the gateway showed. */
  readonly clientCertificate: string | undefined;
}

/** The values of a header, joined by `, `; `undefined` where it is absent. */
export function seenHeader({ headers }: SeenRequest, name: string): string | undefined {
  const values = headers.filter(([given]) => given === name).map(([, value]) => value);
  return values.length > 0 ? values.join(", ") : undefined;
}

export function headerPairs(rawHeaders: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    if (!name.startsWith(":")) pairs.push([name, rawHeaders[index + 1]!]);
  }
  return pairs;
}
