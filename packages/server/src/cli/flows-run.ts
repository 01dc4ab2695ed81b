import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "commander";
import type { DryRunAnswers, DryRunNode, DryRunResult } from "../domain/dry-run.ts";
import { addCommand, type CliDependencies, UsageError } from "./cli.ts";
import { jsonObject } from "./json-option.ts";
import { NodeView } from "./node-view.ts";
import { durationText, oneLine, plain, pretty } from "./texts.ts";
import { addTriggerOptions, type TriggerFlags, triggerOf } from "./trigger-options.ts";

interface RunFlags extends TriggerFlags {
  readonly flow?: string;
  readonly vars?: Record<string, unknown>;
  readonly approve?: boolean;
  readonly reject?: boolean;
  readonly decisionData?: Record<string, unknown>;
  readonly skipWaits?: boolean;
  readonly json?: boolean;
}

export function registerFlowsRun(flows: Command, dependencies: CliDependencies): void {
  const command = addCommand(
    flows,
    "run <paths...>",
    "run a flow from files in memory, without a service or database, and show each node as it runs",
    `flows run examples/demo/hello.yaml --body '{"name":"Ada"}'`,
  ).option("--flow <id>", "which flow, if the files contain several");
  addTriggerOptions(command)
    .option("--vars <json>", "variables of the organization: a JSON object, or @file", jsonObject)
    .option("--approve", "answer every approval with approved")
    .option("--reject", "answer every approval with rejected")
    .option("--decision-data <json>", "data for the decision: a JSON object, or @file", jsonObject)
    .option("--skip-waits", "skip waits of 5 seconds or more")
    .action((paths: string[], flags: RunFlags) => run(dependencies, paths, flags));
}

async function run(dependencies: CliDependencies, paths: readonly string[], flags: RunFlags): Promise<void> {
  if (flags.approve && flags.reject) throw new UsageError("Use either --approve or --reject, not both.");
  const { stdout, stderr, dryRun, interruption } = dependencies;
  const view = new NodeView(dependencies);
  const signal = interruption();
  const line = (value: object) => stdout(JSON.stringify(value));
  let result: DryRunResult;
  try {
    result = await dryRun({
      paths,
      flowId: flags.flow,
      trigger: triggerOf(flags),
      data: flags.data ?? {},
      inputs: flags.inputs ?? {},
      vars: flags.vars,
      signal,
      answers: answersOf(dependencies, flags, view, signal),
      onStart: (start) => {
        if (flags.json) return line(start);
        view.print(start.flowId);
        for (const warning of start.warnings) stderr(`warning: ${plain(warning)}`);
      },
      onNode: flags.json ? line : (event) => view.show(shown(event)),
    });
  } finally {
    view.close();
  }
  if (flags.json) line(result);
  else report(result, stdout);
  if (result.status === "CANCELED") throw new Error("The flow was interrupted.");
  if (result.status === "FAILED") throw new Error(failureText(result.error));
}

function shown({ flowId, nodeType, ...event }: DryRunNode) {
  return { ...event, type: nodeType, scope: `${event.depth} ${flowId}` };
}

function report(result: DryRunResult, stdout: (text: string) => void): void {
  stdout(`${result.status} in ${durationText(result.durationMs)}`);
  if (result.status === "COMPLETED") stdout(pretty(result.output));
}

function failureText({ nodeId, message }: { nodeId: string; message: string }): string {
  return oneLine(`The flow failed at the node "${nodeId}": ${message}`, 1_000);
}

/** Flags answer first; then the person in front of the terminal; otherwise the text says which flag is missing. */
function answersOf(
  { ask }: CliDependencies,
  flags: RunFlags,
  view: NodeView,
  signal: AbortSignal,
): DryRunAnswers {
  let asked: Promise<unknown> = Promise.resolve();
  /** One question at a time, however many branches ask. */
  const inTurn = (question: string): Promise<string> | undefined => {
    if (!ask || flags.json) return undefined;
    const answer = asked.then(() => view.hold(() => ask(plain(question), signal)));
    asked = answer.catch(() => {});
    return answer;
  };
  return {
    wait: async ({ nodeId, untilMs }) => {
      if (flags.skipWaits) return;
      const waitMs = Math.max(0, untilMs - Date.now());
      const answer = await inTurn(`Node "${nodeId}" waits ${durationText(waitMs)}. Skip it? [Y/n] `);
      if (answer === undefined)
        throw new Error(
          `The node "${nodeId}" waits ${durationText(waitMs)}; add --skip-waits to go on at once.`,
        );
      if (/^n/i.test(answer.trim())) await sleepUntil(untilMs, signal);
    },
    approval: async ({ nodeId, message }) => {
      const data = flags.decisionData && { data: flags.decisionData };
      if (flags.approve) return { decision: "approved", ...data };
      if (flags.reject) return { decision: "rejected", ...data };
      const answer = await inTurn(`${message} Approve? [y/n] `);
      if (answer === undefined)
        throw new Error(`The node "${nodeId}" asks for approval; answer with --approve or --reject.`);
      return { decision: /^y/i.test(answer.trim()) ? "approved" : "rejected", ...data };
    },
  };
}

const MAX_TIMER_MS = 2_000_000_000;

async function sleepUntil(untilMs: number, signal: AbortSignal): Promise<void> {
  for (let leftMs = untilMs - Date.now(); leftMs > 0; leftMs = untilMs - Date.now())
    await delay(Math.min(leftMs, MAX_TIMER_MS), undefined, { signal });
}
