import {
  grpcStatusOf,
  isAddressLiteral,
  isGrpcContentType,
  normalizeHost,
  normalizePath,
  type MatchableRequest,
} from "../../model/index.ts";

export interface QuestionOptions {
  readonly method: string;
  /** `https://shop.example.com/cart?x=1`, `tcp://db.example.com:5432`, `udp://dns.example.com:53`; the port is the Gateway's. */
  readonly url: string;
  /** Names and values as they would be sent. `Host` takes the place of the URL's host, as with curl. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Server name in the TLS handshake; the URL's host unless said otherwise. */
  readonly serverName?: string;
  /** The address that opens the connection. Unknown: what depends on it is told, not decided. */
  readonly client?: string;
  /** `namespace/name` of the only Gateway to look at. */
  readonly gateway?: string;
  /** When the request is sent: certificates expire. */
  readonly now?: Date;
}

/** A request as the search for its route sees it. */
export interface Question extends MatchableRequest {
  readonly scheme: "http" | "https";
  /** A connection, or datagrams, of which nobody knows what is in them: there is no request. */
  readonly stream: "tcp" | "udp" | undefined;
  readonly port: number;
  /** As `normalizeHost` gives it. */
  readonly host: string;
  readonly serverName: string | undefined;
  /** The query with its question mark. */
  readonly search: string;
  readonly gateway: string | undefined;
  readonly client: string | undefined;
  readonly now: Date;
  /** Its client takes what the gateway itself answers as gRPC statuses. */
  readonly isGrpc: boolean;
}

export type ReadQuestion =
  | { readonly outcome: "question"; readonly question: Question }
  /** It cannot even be sent. */
  | { readonly outcome: "malformed"; readonly message: string }
  /** It can be sent, and every listener answers 400. */
  | { readonly outcome: "refused"; readonly message: string };

const urlForm = /^(https?):\/\/([^/?#]*)(.*)$/is;
const streamForm = /^(tcp|udp):\/\/([^/?#]*)\/?$/i;
const methodForm = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;
const nameForm = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const portOf = { http: 80, https: 443 } as const;

export function readQuestion(options: QuestionOptions): ReadQuestion {
  const malformed = (message: string) => ({ outcome: "malformed", message }) as const;
  const { method, url, headers = [] } = options;
  if (!methodForm.test(method)) return malformed(`${method} is not a method such as GET`);
  const streamParts = streamForm.exec(url);
  const stream = streamParts?.[1]!.toLowerCase() as Question["stream"];
  if (stream && portIn(streamParts![2]!) === undefined) {
    return malformed(`${url} has no port; write ${stream}://HOST:PORT`);
  }
  // What is read of a request is read of none: nothing looks at it.
  const parts = urlForm.exec(stream ? `http://${streamParts![2]}/` : url);
  if (!parts)
    return malformed(`${url} is not a URL such as http://shop.example.com/cart or udp://dns.example.com:53`);
  const scheme = parts[1]!.toLowerCase() as "http" | "https";
  const authority = parts[2]!;
  const urlHost = normalizeHost(authority);
  if (urlHost === undefined) return malformed(`${authority} in ${url} is not a host`);
  const bad = headers.find(([name]) => !nameForm.test(name));
  if (bad) return malformed(`${bad[0]} is not the name of a header`);

  const values = joinHeaders(headers);
  const hostHeader = values.get("host");
  const host = hostHeader === undefined ? urlHost : normalizeHost(hostHeader);
  if (host === undefined)
    return { outcome: "refused", message: `the Host header ${hostHeader} is malformed` };
  values.set("host", hostHeader ?? authority);
  const target = normalizePath(withoutFragment(parts[0]));
  if ("refused" in target) return { outcome: "refused", message: target.refused };
  const { path, query, search } = target;
  const port = portIn(authority) ?? portOf[scheme];
  const serverName = scheme === "https" ? serverNameOf(options.serverName ?? urlHost) : undefined;
  const header = (name: string) => values.get(name);
  const { gateway, client, now = new Date() } = options;
  const isGrpc = isGrpcContentType(header("content-type"));
  const sent = { method, scheme, stream, host, serverName, port, path, query, search, header };
  return { outcome: "question", question: { ...sent, gateway, client, now, isGrpc } };
}

/** How an answer of the gateway itself looks to who asks: `503`, or `grpc-status 14`. */
export function nameAnswer(status: number, { isGrpc }: Question): string {
  return isGrpc ? `grpc-status ${grpcStatusOf(status)}` : String(status);
}

/** Values of a repeated header are one list. */
function joinHeaders(headers: readonly (readonly [string, string])[]): Map<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const before = values.get(key);
    values.set(key, before === undefined ? value.trim() : `${before}, ${value.trim()}`);
  }
  return values;
}

/** What follows a `#` stays with the client. */
function withoutFragment(url: string): string {
  const hash = url.indexOf("#");
  return hash < 0 ? url : url.slice(0, hash);
}

function portIn(authority: string): number | undefined {
  const port = /:([0-9]+)$/.exec(authority)?.[1];
  return port === undefined ? undefined : Number(port);
}

/** RFC 6066: addresses are not sent as server names. */
function serverNameOf(name: string): string | undefined {
  const host = normalizeHost(name);
  return host === undefined || isAddressLiteral(host) ? undefined : host;
}
