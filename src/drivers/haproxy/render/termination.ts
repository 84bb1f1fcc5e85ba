/*
 * Where TLS ends. The frontend that clients meet only looks at the server name; the handshake is done by a frontend behind a socket
 * of ours, one for each section and set of certificates. So each has TLS contexts and sessions of its own, wildcards mean
 * any number of labels (HAProxy's own mean one), and what is passed through can share the port.
 */
import type { Certificate, Listener, ServerName } from "../../../model/index.ts";
import { line, type Line, type Section } from "../config/configuration-text.ts";
import { contentHash, identifierOf } from "../identifiers.ts";
import { httpFrontend, tcpFrontend, type Entrance } from "./frontend-sections.ts";

export interface Termination {
  readonly id: string;
  readonly kind: "http" | "stream";
  /** Keys of those that can be used. */
  readonly certificates: readonly string[];
  /** Keys of those who vouch for clients. */
  readonly authorities?: readonly string[];
  readonly mode?: "require" | "allow-insecure";
}

/** Nothing, if the name cannot be served: without a certificate, or if no client could be valid. */
export function terminationOf(
  listener: Listener,
  { hostname, section, action }: ServerName,
  model: { readonly certificates: ReadonlyMap<string, Certificate> },
): Termination | undefined {
  if (action.type === "passthrough") return undefined;
  const usable = (keys: readonly string[]) => keys.filter((key) => model.certificates.has(key));
  const certificates = usable(action.certificates).filter(
    (key) => model.certificates.get(key)!.privateKey !== undefined,
  );
  if (certificates.length === 0) return undefined;
  const kind = action.type === "http" ? "http" : "stream";
  const { clientValidation } = listener;
  const authorities = clientValidation && usable(clientValidation.trusted);
  if (clientValidation?.mode === "require" && authorities!.length === 0) return undefined;
  const asks = clientValidation && authorities!.length > 0;
  const id = identifierOf(
    JSON.stringify([
      listener.key,
      section,
      kind,
      certificates,
      kind === "stream" || certificates.length > 1 ? hostname : "",
      asks ? [clientValidation.mode, authorities] : [],
    ]),
  );
  return {
    id,
    kind,
    certificates,
    ...(asks ? { authorities: authorities!, mode: clientValidation.mode } : {}),
  };
}

export function terminationSections(given: {
  readonly termination: Termination;
  readonly folder: string;
  readonly certificateFiles: readonly string[];
  readonly authorities: string | undefined;
  readonly entrance: Entrance;
}): {
  readonly list: { readonly name: string; readonly text: string };
  readonly sections: readonly Section[];
} {
  const { termination, folder, certificateFiles, authorities, entrance } = given;
  const { id, kind, mode } = termination;
  const text = certificateFiles.map((file) => `${file}\n`).join("");
  const list = { name: `lists/${contentHash(text)}.txt`, text };
  const socket = `unix@${folder}/t-${id}`;
  const words = ["bind", socket, "mode", "600", "accept-proxy", "ssl", "crt-list", `${folder}/${list.name}`];
  if (kind === "http") words.push("alpn", "h2,http/1.1");
  if (authorities !== undefined) {
    words.push("ca-file", authorities, "verify", mode === "require" ? "required" : "optional");
    if (mode === "allow-insecure") words.push("ca-ignore-err", "all", "crt-ignore-err", "all");
    words.push("no-tls-tickets");
  }
  const binds: readonly Line[] = [words];
  const name = `s-${id}`;
  const behind = kind === "http" ? httpFrontend(name, binds, entrance) : tcpFrontend(name, binds, id);
  const way: Section = {
    keyword: "backend",
    name: `t-${id}`,
    lines: [
      line`mode tcp`,
      line`timeout server 1h`,
      line`timeout tunnel 1h`,
      line`server termination ${socket} send-proxy-v2`,
    ],
  };
  return { list, sections: [behind, way] };
}
