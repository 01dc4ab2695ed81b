import { runStatuses, triggerSources } from "@millrace/contract/run-status";
import type { RunStatus, TriggerSource } from "@millrace/client";

/*
 * What stands behind the `?` of each page. Everything that somebody chose is there, so that an address shows another
 * person the same thing; what makes no sense is left out rather than refused.
 */
type Raw = Record<string, unknown>;

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : typeof value === "number" ? String(value) : undefined;
const moment = (value: unknown): string | undefined =>
  typeof value === "string" && !Number.isNaN(Date.parse(value)) ? value : undefined;
const viewport = (value: unknown): string | undefined =>
  typeof value === "string" && /^-?[\d.]+(?:,-?[\d.]+){2}$/.test(value) ? value : undefined;
const oneOf = <Item extends string>(items: readonly Item[], value: unknown): Item | undefined =>
  items.find((item) => item === value);

export function loginSearch(raw: Raw): { next?: string } {
  const next = text(raw.next);
  return next?.startsWith("/") ? { next } : {};
}

export interface RunsSearch {
  status?: RunStatus[];
  flow?: string;
  tag?: string;
  period?: string;
  version?: string;
  trigger?: TriggerSource;
  kind?: "test" | "real";
  /** Moments of creation, as the chart above the list sets them: a part of the period that it shows. */
  from?: string;
  to?: string;
}

export function runsSearch(raw: Raw): RunsSearch {
  const status = (Array.isArray(raw.status) ? raw.status : [raw.status])
    .map((value) => oneOf(runStatuses, value))
    .filter((value) => value !== undefined);
  return clean({
    status: status.length > 0 ? status : undefined,
    flow: text(raw.flow),
    tag: text(raw.tag),
    period: text(raw.period),
    version: text(raw.version),
    trigger: oneOf(triggerSources, raw.trigger),
    kind: oneOf(["test", "real"], raw.kind),
    from: moment(raw.from),
    to: moment(raw.to),
  });
}

export const runViews = ["graph", "timeline", "list"] as const;
type RunView = (typeof runViews)[number];
export const nodeTabs = ["input", "output", "error", "log", "attempts"] as const;
export type NodeTab = (typeof nodeTabs)[number];

export interface RunSearch {
  view?: RunView;
  /** Node key of what is looked at. */
  node?: string;
  tab?: NodeTab;
  /** A moment of the scrubber, in milliseconds after the run was made. */
  at?: number;
  errors?: true;
  /** What of the graph is on the screen: its zoom and corner. */
  zoom?: string;
  /** Part of a node's key or type. */
  q?: string;
}

export function runSearch(raw: Raw): RunSearch {
  return clean({
    view: oneOf(runViews, raw.view),
    node: text(raw.node),
    tab: oneOf(nodeTabs, raw.tab),
    at: typeof raw.at === "number" && raw.at >= 0 ? raw.at : undefined,
    errors: raw.errors === true ? true : undefined,
    zoom: viewport(raw.zoom),
    q: text(raw.q),
  });
}

export interface FlowSearch {
  node?: string;
  /** The one in force where it is left out. */
  version?: string;
  period?: string;
  zoom?: string;
}

export function flowSearch(raw: Raw): FlowSearch {
  return clean({
    node: text(raw.node),
    version: text(raw.version),
    period: text(raw.period),
    zoom: viewport(raw.zoom),
  });
}

export const editViews = ["canvas", "outline", "yaml"] as const;
export type EditView = (typeof editViews)[number];

export interface EditSearch {
  pane?: EditView;
  /** The selected node. */
  node?: string;
  /** What the side shows. */
  panel?: string;
  /** The recorded run whose values are shown. */
  run?: string;
}

export function editSearch(raw: Raw): EditSearch {
  return clean({
    pane: oneOf(editViews, raw.pane),
    node: text(raw.node),
    panel: text(raw.panel),
    run: text(raw.run),
  });
}

export function agentSearch(raw: Raw): { session?: string } {
  return clean({ session: text(raw.session) });
}

interface CompareSearch {
  /** Runs; where `flow` is there, versions of it. */
  a?: string;
  b?: string;
  flow?: string;
  node?: string;
  /** Only what differs. */
  only?: true;
}

export function compareSearch(raw: Raw): CompareSearch {
  return clean({
    a: text(raw.a),
    b: text(raw.b),
    flow: text(raw.flow),
    node: text(raw.node),
    only: raw.only === true ? (true as const) : undefined,
  });
}

export function webhooksSearch(raw: Raw): { endpoint?: string } {
  return clean({ endpoint: text(raw.endpoint) });
}

export function auditSearch(raw: Raw): { action?: string } {
  return clean({ action: text(raw.action) });
}

function clean<Search extends object>(search: Search): { [Key in keyof Search]?: NonNullable<Search[Key]> } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as never;
}
