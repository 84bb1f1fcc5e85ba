import { modelKinds, type ModelKind } from "../../model/index.ts";
import { resourceKey, type Resource } from "../../resources/index.ts";
import type { Controller } from "../controller.ts";
import { hintsFrom } from "../meant-objects.ts";
import { findKinds } from "../names/index.ts";
import { judgeObject } from "../object-verdict.ts";
import { showObject } from "../shown-object.ts";
import { jsonPage, plainText, type AdminPage, type PageContent } from "./admin-page.ts";
import { collectMetrics } from "./metrics.ts";
import { renderMetrics, type Metric } from "./metrics-text.ts";
import { showItem } from "./model-view.ts";
import { listPage } from "./object-list.ts";

export interface AdminSubject {
  readonly controller: Controller;
  readonly version: string;
  /** What others count: the driver, the operator. */
  moreMetrics?(): readonly Metric[];
  /** Everything that was there at the start is in force, or refused. */
  isReady(): boolean;
}

export function adminPages(subject: AdminSubject): readonly AdminPage[] {
  const { controller, version } = subject;
  const pages: AdminPage[] = [
    {
      name: "healthz",
      isPublic: true,
      summary: "ok while the process runs",
      render: noRest(() => text("ok")),
    },
    {
      name: "readyz",
      isPublic: true,
      summary: "ok when all that was there at the start is in force, or refused",
      render: noRest(() => (subject.isReady() ? text("ok") : text("starting", 503))),
    },
    metricsPage(() => [...collectMetrics(controller, version), ...(subject.moreMetrics?.() ?? [])]),
    {
      name: "statuses",
      summary: "all objects with their status; also /statuses/KIND[/NAMESPACE/NAME]",
      render: (rest) => statuses(controller, rest),
    },
    {
      name: "findings",
      summary: "what somebody should look at in the statuses, by object",
      render: noRest(() => jsonPage({ findings: [...findings(controller)] })),
    },
    {
      name: "problems",
      summary: "what is wrong with the files, now",
      render: noRest(() => jsonPage({ problems: controller.problems })),
    },
    {
      name: "model",
      summary: "what the proxy was told; also /model/KIND",
      render: (rest) => model(controller, rest),
    },
  ];
  return [{ name: "", render: () => index(version, pages) }, ...pages];
}

/** A proxy Pod's: whether it may get traffic, and its numbers. */
export function proxyPages(subject: {
  isReady(): boolean;
  metrics(): readonly Metric[];
}): readonly AdminPage[] {
  return [
    {
      name: "ready",
      isPublic: true,
      render: noRest(() => (subject.isReady() ? text("ready") : text("not ready", 503))),
    },
    metricsPage(() => subject.metrics()),
  ];
}

/** For load balancers. The path is the one that they know from Istio. */
export function readinessPages(isReady: () => boolean): readonly AdminPage[] {
  const render = () => (isReady() ? text("ready") : text("not ready", 503));
  return [
    {
      name: "healthz",
      isPublic: true,
      render: (rest) => (rest.join("/") === "ready" ? render() : undefined),
    },
  ];
}

function metricsPage(metrics: () => readonly Metric[]): AdminPage {
  return {
    name: "metrics",
    isPublic: true,
    summary: "numbers for Prometheus",
    render: noRest(() => ({
      type: "text/plain; version=0.0.4; charset=utf-8",
      body: renderMetrics(metrics()),
    })),
  };
}

function index(version: string, pages: readonly AdminPage[]): PageContent {
  const lines = pages.map(({ name, summary }) => `/${name.padEnd(10)} ${summary}`);
  return { type: plainText, body: `Gatewright ${version}, pid ${process.pid}\n\n${lines.join("\n")}\n` };
}

function noRest(render: () => PageContent): AdminPage["render"] {
  return (rest) => (rest.length === 0 ? render() : undefined);
}

function text(line: string, status = 200): PageContent {
  return { status, type: plainText, body: `${line}\n` };
}

/** Secrets are left out altogether. */
function statuses(controller: Controller, [kindName, ...name]: readonly string[]): PageContent | undefined {
  const found = kindName === undefined ? undefined : findKinds(kindName);
  if (found?.outcome === "unknown" || name.length > 2) return undefined;
  const wanted = found && new Set(found.kinds.map(({ kind }) => kind));
  const show = (resource: Resource) => showObject(resource, controller.statusOf(resource));
  const isWanted = (resource: Resource) =>
    resource.kind !== "Secret" && (wanted === undefined || wanted.has(resource.kind));
  if (name.length === 0) return listPage(mapWhere(controller.resources(), isWanted, show));
  const key = name.join("/");
  for (const resource of controller.resources()) {
    if (isWanted(resource) && resourceKey(resource) === key) return jsonPage(show(resource));
  }
  return undefined;
}

/** Some kinds have no conditions in which Kubernetes could tell it, as Ingress. */
function* findings(controller: Controller) {
  const hint = hintsFrom(() => controller.resources());
  for (const [, status] of controller.statuses.entries()) {
    const { kind, namespace, name } = status;
    for (const finding of judgeObject([status], hint).findings) yield { kind, namespace, name, ...finding };
  }
}

function* mapWhere<T, R>(
  items: Iterable<T>,
  isWanted: (item: T) => boolean,
  map: (item: T) => R,
): Generator<R> {
  for (const item of items) if (isWanted(item)) yield map(item);
}

function model({ model: collections }: Controller, [kindName, ...rest]: readonly string[]) {
  if (rest.length > 0) return undefined;
  const wanted = modelKinds.filter((kind) => kindName === undefined || kind === kindName);
  if (wanted.length === 0) return undefined;
  const show = (kind: ModelKind) => {
    const items: Iterable<readonly [string, unknown]> = collections[kind].entries();
    return Array.from(items, ([, item]) => showItem(kind, item));
  };
  return jsonPage(Object.fromEntries(wanted.map((kind) => [kind, show(kind)])));
}
