import type { Locale } from "@millrace/contract/locales";
import type { Why, WhyAction } from "@millrace/contract/why";
import { fillText } from "../../domain/fill-text.ts";
import type { Explanation } from "../../operations/why/explanation.ts";
import { CLAUSES, SENTENCES } from "./why-texts.ts";

const MAX_ERROR_LENGTH = 300;
const MAX_NAMED = 5;

export function presentWhy(explanation: Explanation, locale: Locale): Why {
  const { waiting, cause, since, until, position, heldBy, error, notes, hidesValues } = explanation;
  const needs = needsOf(explanation);
  return {
    waiting,
    cause,
    reason: sentenceOf(explanation, locale),
    since: since.toISOString(),
    ...(until && { until: until.toISOString() }),
    ...(explanation.untilIsEstimate && { untilIsEstimate: true }),
    ...(position !== undefined && { position }),
    ...(explanation.positionIsMinimum && { positionIsMinimum: true }),
    ...(heldBy && { heldBy: [...heldBy] }),
    ...(error && {
      error: {
        name: error.name,
        ...(!hidesValues && { message: error.message }),
        nodeKey: error.nodeKey,
      },
    }),
    ...(needs && { needs }),
    ...(notes.length > 0 && { notes: [...notes] }),
    actions: actionsFor(explanation),
  };
}

function sentenceOf(explanation: Explanation, locale: Locale): string {
  const { run, notes, wait } = explanation;
  const others = wait ? run.waits.length - 1 : 0;
  const clauses = [
    ...(others > 0 ? (["others"] as const) : []),
    ...(explanation.untilIsEstimate ? (["estimate"] as const) : []),
    ...notes,
  ];
  const texts = [SENTENCES[sentenceFor(explanation)], ...clauses.map((clause) => CLAUSES[clause])];
  const values = valuesOf(explanation, others);
  return `${texts.map((text) => fillText(text[locale], values)).join("")}.`;
}

function sentenceFor({ cause, run, wait, positionIsMinimum }: Explanation): keyof typeof SENTENCES {
  if (cause === "approval" && wait?.assignees) return "approval_assigned";
  if (cause !== "slot") return cause;
  if (run.concurrencyLimit === 0) return "slot_none";
  return positionIsMinimum ? "slot_far" : "slot";
}

function valuesOf(explanation: Explanation, others: number): Readonly<Record<string, string>> {
  const { run, wait, error, until, position = 1, attempt, hidesValues } = explanation;
  return {
    status: run.status,
    flowId: run.flowId,
    limit: String(run.concurrencyLimit),
    position: String(position),
    before: String(position - 1),
    others: String(others),
    attempt: String(attempt),
    until: until?.toISOString() ?? "?",
    assignees: wait?.assignees?.slice(0, MAX_NAMED).join(", ") ?? "?",
    nodeKey: wait?.nodeKey ?? error?.nodeKey ?? "?",
    error: error
      ? (hidesValues ? error.name : `${error.name}: ${error.message}`).slice(0, MAX_ERROR_LENGTH)
      : "?",
    child: wait?.child?.runId ?? "?",
    childFlow: wait?.child?.flowId ?? "?",
    childStatus: wait?.child?.status ?? "?",
  };
}

function needsOf({ cause, wait, link, hidesValues }: Explanation): Why["needs"] {
  if (cause === "credits") return { kind: "credits" };
  if (wait?.kind !== "approval") return undefined;
  return {
    kind: "approval",
    nodeKey: wait.nodeKey,
    ...(wait.message !== undefined && !hidesValues && { message: wait.message }),
    role: "member",
    ...(wait.assignees && { assignees: [...wait.assignees] }),
    ...(link !== undefined && { link }),
  };
}

type MakeAction = (explanation: Explanation) => WhyAction;

const ACTIONS = {
  cancel: ({ run: { id, status } }) => ({
    action: "cancel",
    command: `millrace runs cancel ${id}`,
    method: "POST",
    path: `/api/runs/${id}/cancel${status === "PAUSED" ? "?paused=true" : ""}`,
  }),
  approve: ({ run: { id }, wait }) => ({
    action: "approve",
    command: `millrace runs resume ${id} --node ${quoted(wait!.nodeKey)} --approve`,
    method: "POST",
    path: `/api/runs/${id}/resume`,
  }),
  why: ({ wait }) => ({
    action: "why",
    command: `millrace runs why ${wait!.child!.runId}`,
    method: "GET",
    path: `/api/runs/${wait!.child!.runId}/why`,
  }),
  raise_limit: ({ run: { organizationId, concurrencyLimit } }) => ({
    action: "raise_limit",
    command: `millrace orgs limits --org ${organizationId} --concurrency ${Math.max(1, concurrencyLimit * 2)}`,
  }),
  grant_credits: ({ run: { organizationId } }) => ({
    action: "grant_credits",
    command: `millrace credits grant --org ${organizationId} --amount 1000`,
  }),
  start_worker: () => ({ action: "start_worker", command: "millrace worker" }),
  activate_flow: ({ run: { flowId } }) => ({
    action: "activate_flow",
    command: `millrace flows activate ${flowId}`,
  }),
  lift_suspension: () => ({
    action: "lift_suspension",
    command: "millrace apply <the organization's document with suspended: false>",
  }),
} satisfies Record<WhyAction["action"], MakeAction>;

/** Looking and what an operator does beside the service is told to everybody; what the API would refuse is not. */
function actionsFor(explanation: Explanation): WhyAction[] {
  const { cause, notes, role, waiting, wait, run } = explanation;
  const mayChange = role !== "viewer" && !run.suspended;
  const holds = (name: "no_worker" | "suspended_organization") => cause === name || notes.includes(name);
  const names: (keyof typeof ACTIONS | false)[] = [
    cause === "approval" && explanation.link !== undefined && "approve",
    cause === "subflow" && wait?.child !== undefined && "why",
    cause === "slot" && (role === "owner" || role === "admin") && "raise_limit",
    cause === "credits" && role === "owner" && "grant_credits",
    holds("no_worker") && "start_worker",
    holds("suspended_organization") && "lift_suspension",
    notes.includes("inactive_flow") && role !== "viewer" && "activate_flow",
    (waiting || cause === "executing") && mayChange && "cancel",
  ];
  return names.flatMap((name) => (name === false ? [] : [ACTIONS[name](explanation)]));
}

function quoted(nodeKey: string): string {
  return /^[\w-]+$/.test(nodeKey) ? nodeKey : `'${nodeKey}'`;
}
