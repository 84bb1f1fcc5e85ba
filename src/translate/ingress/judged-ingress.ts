// One Ingress, judged: its hosts with their rules, as rules of HTTPRoutes.
//
// Spec, Ingress: a rule without a host is for all hosts, one without paths is for the default backend, and so are requests that no rule takes.

import type { Index, Read } from "../../incremental/index.ts";
import type {
  HTTPBackendRef,
  HTTPPathMatch,
  HTTPRouteFilter,
  HTTPRouteRule,
  Ingress,
  IngressBackend,
  IngressPath,
} from "../../resources/index.ts";
import type { Remark, RuleExtras } from "../layers.ts";
import { compareAge, ageOf } from "../object-age.ts";
import { Annotations, fieldOf } from "./annotations.ts";
import { judgeBackend, type BackendInputs, type JudgedBackend } from "./backends.ts";
import { pathKey, type CanaryPath } from "./canary-paths.ts";
import type { Canary } from "./canaries.ts";
import { judgePath, type JudgedPath } from "./paths.ts";
import { judgePolicies, type Policies } from "./policies.ts";
import { RemarkList } from "./remark-list.ts";
import { coversHost, judgeTls, type JudgedTls } from "./tls.ts";

export interface JudgedIngress {
  readonly ingress: Ingress;
  /** `namespace/name` */
  readonly gateway: string;
  readonly hosts: readonly JudgedHost[];
  readonly tls: JudgedTls;
  readonly remarks: readonly Remark[];
}

export interface JudgedHost {
  /** Lower-case name, `*.suffix`, or `*`. */
  readonly hostname: string;
  readonly rules: readonly PlacedRule[];
  /** Clients of plain HTTP are sent to HTTPS. */
  readonly redirectsToHttps: boolean;
}

export interface PlacedRule {
  /** `spec.rules[0].http.paths[1]` */
  readonly field: string;
  readonly rule: HTTPRouteRule;
  readonly extras: RuleExtras;
}

export interface JudgeInputs extends BackendInputs {
  /** By `pathKey`. */
  readonly canaries: Index<CanaryPath>;
}

export function judgeIngress(
  ingress: Ingress,
  { gateway, wrong }: { readonly gateway: string; readonly wrong?: string },
  read: Read,
  inputs: JudgeInputs,
): JudgedIngress {
  const remarks = new RemarkList(ingress);
  if (wrong !== undefined) remarks.warn("InvalidParameters", "spec.ingressClassName", wrong);
  const policies = judgePolicies(new Annotations(ingress, remarks), remarks);
  const tls = judgeTls(ingress);
  const rules = new Map<string, PlacedRule[]>();
  const placer = new Placer(ingress, policies, remarks, read, inputs);
  const { defaultBackend } = ingress.spec;
  for (const [index, { host = "", http }] of (ingress.spec.rules ?? []).entries()) {
    const hostname = host === "" ? "*" : host.toLowerCase();
    const placed = (http?.paths ?? []).flatMap((path, i) =>
      placer.path(path, hostname, `spec.rules[${index}].http.paths[${i}]`),
    );
    if (!http && defaultBackend) placed.push(...placer.everything(defaultBackend, "spec.defaultBackend"));
    if (!http && !defaultBackend)
      remarks.warn("NoBackend", `spec.rules[${index}]`, "has no paths, and there is no defaultBackend");
    rules.set(hostname, [...(rules.get(hostname) ?? []), ...placed]);
  }
  const named = [...rules.keys()].filter((hostname) => hostname !== "*");
  for (const alias of policies.aliases) {
    const [first] = named;
    if (first !== undefined && !rules.has(alias)) rules.set(alias, rules.get(first) ?? []);
  }
  if (policies.appRoot !== undefined)
    for (const [hostname, placed] of rules)
      rules.set(hostname, [appRootRule(policies, policies.appRoot), ...placed]);
  if (defaultBackend)
    rules.set("*", [...(rules.get("*") ?? []), ...placer.everything(defaultBackend, "spec.defaultBackend")]);
  return {
    ingress,
    gateway,
    hosts: [...rules].map(([hostname, placed]) => ({
      hostname,
      rules: placed,
      redirectsToHttps: redirectsToHttps(policies, coversHost(tls, hostname)),
    })),
    tls,
    remarks: remarks.all,
  };
}

/** ingress-nginx: with a certificate for the host unless it says otherwise, and without one if it insists. A redirect elsewhere comes first. */
function redirectsToHttps(policies: Policies, hasTls: boolean): boolean {
  if (policies.redirect) return false;
  return policies.forceSslRedirect || (hasTls && policies.sslRedirect !== false);
}

/** ingress-nginx: the root of each host, and nothing below it. */
function appRootRule({ extras }: Policies, appRoot: string): PlacedRule {
  const { clientAddresses, blocked } = extras;
  return {
    field: fieldOf("app-root"),
    rule: {
      matches: [{ path: { type: "Exact", value: "/" } }],
      filters: [
        {
          type: "RequestRedirect",
          requestRedirect: { path: { type: "ReplaceFullPath", replaceFullPath: appRoot }, statusCode: 302 },
        },
      ],
    },
    extras: { ...(clientAddresses && { clientAddresses }), ...(blocked !== undefined && { blocked }) },
  };
}

/** Makes rules of the paths of one Ingress. */
class Placer {
  readonly #ingress: Ingress;
  readonly #policies: Policies;
  readonly #remarks: RemarkList;
  readonly #read: Read;
  readonly #inputs: JudgeInputs;

  constructor(ingress: Ingress, policies: Policies, remarks: RemarkList, read: Read, inputs: JudgeInputs) {
    this.#ingress = ingress;
    this.#policies = policies;
    this.#remarks = remarks;
    this.#read = read;
    this.#inputs = inputs;
  }

  path(path: IngressPath, hostname: string, field: string): readonly PlacedRule[] {
    const judged = judgePath(path, this.#policies);
    if ("wrong" in judged) {
      this.#remarks.error("InvalidPath", `${field}.path`, judged.wrong);
      return [];
    }
    if (judged.blocked !== undefined)
      this.#remarks.error("AnnotationNotSupported", fieldOf("rewrite-target"), judged.blocked);
    const main = this.#backend(path.backend, `${field}.backend`);
    const canary = this.#canaryOf(path, hostname);
    return this.#rules(judged, main, canary, field);
  }

  everything(backend: IngressBackend, field: string): readonly PlacedRule[] {
    return this.#rules({ match: root }, this.#backend(backend, field), undefined, field);
  }

  #backend(backend: IngressBackend, field: string): JudgedBackend {
    const { namespace } = this.#ingress.metadata;
    const judged = judgeBackend(backend, namespace, this.#policies, this.#read, this.#inputs);
    if ("wrong" in judged)
      this.#remarks.error(backend.resource ? "ResourceBackend" : "InvalidBackend", field, judged.wrong);
    return judged;
  }

  /** The oldest, if its backend can be had. */
  #canaryOf(path: IngressPath, hostname: string): PlacedCanary | undefined {
    const { namespace } = this.#ingress.metadata;
    const claimed = this.#read.all(this.#inputs.canaries, pathKey(namespace, hostname, path));
    const [first] = claimed.toSorted((a, b) =>
      compareAge(ageOf(a.ingress.metadata), ageOf(b.ingress.metadata)),
    );
    const judged = first && judgeBackend(first.backend, namespace, this.#policies, this.#read, this.#inputs);
    return first && judged && "ref" in judged ? { canary: first.canary, ref: judged.ref } : undefined;
  }

  #rules(
    path: Exclude<JudgedPath, { wrong: string }>,
    main: JudgedBackend,
    canary: PlacedCanary | undefined,
    field: string,
  ): readonly PlacedRule[] {
    const { session, extras, backend } = this.#policies;
    const blocked = extras.blocked ?? path.blocked ?? ("wrong" in main ? main.wrong : undefined);
    const make = (
      refs: readonly HTTPBackendRef[],
      headers?: Canary["choices"][number]["header"],
    ): PlacedRule => ({
      field,
      rule: {
        matches: [{ path: path.match, ...(headers && { headers: [headers] }) }],
        ...this.#filters(path),
        ...(!this.#policies.redirect && blocked === undefined && { backendRefs: refs }),
        ...(session && !this.#policies.redirect && { sessionPersistence: session }),
      },
      extras: {
        ...extras,
        ...(blocked !== undefined && { blocked }),
        ...(Object.keys(backend).length > 0 && { backend }),
      },
    });
    const own = "ref" in main ? main.ref : undefined;
    if (!own) return [make([])];
    if (!canary || this.#policies.redirect) return [make([own])];
    const { choices, weight, total } = canary.canary;
    return [
      ...choices.map(({ header, takes }) => make([takes === "canary" ? canary.ref : own], header)),
      make(
        weight > 0
          ? [
              { ...own, weight: total - weight },
              { ...canary.ref, weight },
            ]
          : [own],
      ),
    ];
  }

  #filters({ change }: Exclude<JudgedPath, { wrong: string }>): {
    readonly filters?: readonly HTTPRouteFilter[];
  } {
    const { redirect, filters, hostRewrite } = this.#policies;
    if (redirect) return { filters: [{ type: "RequestRedirect", requestRedirect: redirect }] };
    const rewrites = hostRewrite !== undefined || change !== undefined;
    const all: readonly HTTPRouteFilter[] = [
      ...filters,
      ...(rewrites
        ? [
            {
              type: "URLRewrite",
              urlRewrite: {
                ...(hostRewrite !== undefined && { hostname: hostRewrite }),
                ...(change && { path: change }),
              },
            } as const,
          ]
        : []),
    ];
    return all.length > 0 ? { filters: all } : {};
  }
}

interface PlacedCanary {
  readonly canary: Canary;
  readonly ref: HTTPBackendRef;
}

const root: HTTPPathMatch = { type: "PathPrefix", value: "/" };
