import type { ListenerView, SectionView } from "../controller/index.ts";
import { renderTable } from "./table.ts";
import type { Style } from "./style.ts";

const most = 3;

/** Which ports are open, as a table: one row for each listener of the API. */
export function renderListeners(listeners: readonly ListenerView[], style: Style): string[] {
  const rows = listeners.flatMap((listener) => {
    const sections = listener.sections.length > 0 ? listener.sections : [undefined];
    return sections.map((section) => renderRow(listener, section, style));
  });
  if (rows.length === 0) return [];
  const head = ["GATEWAY", "LISTENER", "URL", "HOSTS", "ROUTES"].map((cell) => style.bold(cell));
  return renderTable([head, ...rows]);
}

function renderRow(listener: ListenerView, section: SectionView | undefined, style: Style): string[] {
  const name = section?.section.split("/").at(-1) ?? String(listener.port);
  return [
    listener.gateway,
    name,
    style.cyan(renderAddress(listener, section)),
    cut((section?.hostnames ?? []).map((hostname) => (hostname === "*" ? "any" : hostname))),
    cut(
      (section?.routes ?? []).map((route) => withoutNamespace(route, listener.gateway)),
      "none",
    ),
  ];
}

/** Routes mostly live beside their Gateway. */
function withoutNamespace(route: string, gateway: string): string {
  const [kind = "", key = ""] = route.split(" ");
  const [namespace] = gateway.split("/");
  const name = key.startsWith(`${namespace}/`) ? key.slice(key.indexOf("/") + 1) : key;
  return kind === "HTTPRoute" ? name : `${kind} ${name}`;
}

function cut(words: readonly string[], none = ""): string {
  if (words.length === 0) return none;
  const more = words.length > most ? ` and ${words.length - most} more` : "";
  return words.slice(0, most).join(", ") + more;
}

const everywhere = new Set(["127.0.0.1", "::1", "::", "0.0.0.0"]);

/** `Gateway shop/web  listener http is open at http://localhost:8080` */
export function renderOpened(listener: ListenerView, style: Style): string[] {
  return listener.sections.map((section) => {
    const name = section.section.split("/").at(-1);
    const address = style.cyan(renderAddress(listener, section));
    return `${style.bold(`Gateway ${listener.gateway}`)}  listener ${name} is open at ${address}`;
  });
}

/** `Gateway shop/web  port 8080 is closed`; a listener's key is `<namespace>/<name>/<transport>/<port>`. */
export function renderClosed(key: string, style: Style): string {
  const [namespace, name, , port] = key.split("/");
  return `${style.bold(`Gateway ${namespace}/${name}`)}  port ${port} is closed`;
}

/** The URL to ask, or the address to connect to. */
export function renderAddress(
  { protocol, state, port }: ListenerView,
  section: SectionView | undefined,
): string {
  if (state?.type !== "programmed") return `not open (port ${port})`;
  const bound = state.addresses?.[0] ?? { address: "127.0.0.1", port };
  const scheme = protocol === "tls" && section?.servesHttp ? "https" : protocol;
  return `${scheme}://${renderHost(bound.address)}:${bound.port}`;
}

function renderHost(address: string): string {
  if (everywhere.has(address)) return "localhost";
  return address.includes(":") ? `[${address}]` : address;
}
