import type { Explanation, Outcome, OutcomeBackend, Step } from "../../controller/index.ts";
import { printable } from "../printable.ts";
import type { Style } from "../style.ts";

/** An explanation as a tree: what held, what did not, and in the end what comes of it. */
export function renderExplanation(explanation: Explanation, style: Style): string {
  const { request, walks } = explanation;
  const { method, url } = request;
  // Connections and datagrams have no method.
  const asked = /^(?:tcp|udp):/i.test(url) ? url : `${method} ${url}`;
  const lines = [style.bold(printable(asked)), ""];
  for (const [index, { gateway, steps, outcome }] of walks.entries()) {
    if (index > 0) lines.push("");
    lines.push(...renderSteps(steps, "", style), ...renderOutcome(outcome, style));
    if (walks.length > 1 && gateway !== undefined && index === walks.length - 1) {
      lines.push(
        "",
        style.dim(`${walks.length} Gateways have this port; --gateway NAMESPACE/NAME asks one of them.`),
      );
    }
  }
  return `${lines.join("\n")}\n`;
}

function renderSteps(steps: readonly Step[], indent: string, style: Style): string[] {
  return steps.flatMap((step, index) => {
    const isLast = index === steps.length - 1;
    const inner = step.steps ?? [];
    // A rule with one condition to tell is told in one line.
    const only = step.about === "rule" && inner.length === 1 ? inner[0] : undefined;
    const [branch, trunk] = isLast ? ["└─ ", "   "] : ["├─ ", "│  "];
    return [
      `${style.dim(indent + branch)}${renderStep(step, style)}${only ? `: ${style.dim(printable(only.text))}` : ""}`,
      ...(only ? [] : renderSteps(inner, indent + trunk, style)),
    ];
  });
}

function renderStep({ mark, text, about }: Step, style: Style): string {
  const words = printable(text);
  switch (mark) {
    case "yes":
      return `${style.green("✓")} ${about === "condition" ? style.dim(words) : words}`;
    case "no":
      return `${style.red("✗")} ${words}`;
    case "trouble":
      return `${style.yellow("!")} ${style.yellow(words)}`;
    case "note":
      return about === "advice" ? `${style.cyan("→")} ${words}` : `${style.dim("·")} ${words}`;
  }
}

function renderOutcome(outcome: Outcome, style: Style): string[] {
  const [good, text] = describeOutcome(outcome);
  const arrow = good ? style.green("⇒") : style.red("⇒");
  return ["", `${arrow} ${style.bold(printable(text))}`];
}

function describeOutcome(outcome: Outcome): [isGood: boolean, text: string] {
  switch (outcome.type) {
    case "forwarded": {
      const { method, host, target } = outcome.request;
      return [
        true,
        `forwarded to ${describeBackends(outcome.backends)}, as ${method} ${target} with host ${host}`,
      ];
    }
    case "relayed":
      return outcome.transport === "udp"
        ? [true, `the datagrams are relayed to ${describeBackends(outcome.backends)}`]
        : [true, `the connection is relayed to ${describeBackends(outcome.backends)}`];
    case "redirected":
      return [true, `${outcome.status}, Location: ${outcome.location}`];
    case "answered":
      return outcome.grpcStatus
        ? [false, `200 with grpc-status ${describeGrpc(outcome.grpcStatus)}: ${outcome.reason}`]
        : [outcome.status < 400, `${outcome.status}: ${outcome.reason}`];
    case "not connected":
      return [false, `no answer: ${outcome.reason}`];
  }
}

/** `14 (UNAVAILABLE)` */
function describeGrpc({ code, name }: { readonly code: number; readonly name: string }): string {
  return `${code} (${name})`;
}

function describeBackends(backends: readonly OutcomeBackend[]): string {
  const usable = backends.filter(({ problem }) => problem === undefined);
  const names = new Set(usable.map(({ backend = "" }) => nameBackend(backend)));
  const share = usable.reduce((sum, backend) => sum + backend.share, 0);
  const failing = share > 0.999 ? "" : ` (${Math.round((1 - share) * 100)} % fail)`;
  return `${names.size === 1 ? [...names].join("") : `one of ${names.size} backends`}${failing}`;
}

/** `Service/shop/cart/80|h2c` → `Service shop/cart:80` */
function nameBackend(key: string): string {
  const [kind, namespace, name, port] = key.split("|", 1)[0]!.split("/");
  return `${kind} ${namespace}/${name}:${port}`;
}
