import type { Locale } from "@millrace/contract/locales";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { pathText } from "../../domain/documents/fault.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { SeenRun } from "../../operations/runs/get-run.ts";
import { messageOf } from "../errors.ts";
import { presentRunDetail } from "../presenters/run.ts";
import { stringifyWithRaw } from "../raw-json.ts";

/** What a client is given at once, in characters: a model reads all of it. */
const MAX_RESULT_LENGTH = 100_000;
const MAX_LISTED = 20;

function textResult(text: string, { isError = false } = {}): CallToolResult {
  return { content: [{ type: "text", text: shortened(text) }], ...(isError && { isError }) };
}

/** A JSON object, as text for models and as it is for programs. */
export function jsonResult(text: string): CallToolResult {
  if (text.length > MAX_RESULT_LENGTH) return textResult(text);
  return {
    content: [{ type: "text", text }],
    structuredContent: JSON.parse(text) as Record<string, unknown>,
  };
}

/** What the flow returned, or why it did not. */
export function endedResult({ run, valuesHidden }: SeenRun): CallToolResult {
  const _meta = { "millrace/runId": run.id };
  if (run.status === "COMPLETED" && !valuesHidden) {
    const output = run.output ?? "{}";
    const note = `The output is cut off; get all of it with GET /api/runs/${run.id}`;
    const isWhole = output.length <= MAX_RESULT_LENGTH;
    return { ...(isWhole ? jsonResult(output) : textResult(`${note}\n${output}`)), _meta };
  }
  const isError = run.status !== "COMPLETED";
  const why = run.error?.message ? `: ${run.error.message}` : "";
  return { ...textResult(`The run ${run.id} ended as ${run.status}${why}`, { isError }), _meta };
}

/** For a run of which nothing more can be said at the moment. */
export function startedResult(runId: string): CallToolResult {
  const text = `The run ${runId} was started; the service is too busy to wait for it. Call get_run with this id, and do not start it again.`;
  return { ...textResult(text), _meta: { "millrace/runId": runId } };
}

/** For a run that goes on without its caller. `page` is where people look at it. */
export function openResult({ run }: SeenRun, page: string): CallToolResult {
  const approval = run.waits.find(({ kind }) => kind === "approval");
  const lines = [
    `The run ${run.id} has not ended: it is ${run.status}.`,
    ...(approval ? [`It waits for approval: ${approval.message ?? approval.nodeId}`] : []),
    ...(approval ? [`A person can answer at ${page}`] : []),
    `Call get_run with this id to see how it ended, why to learn what it waits for, cancel_run to end it.`,
  ];
  return { ...textResult(lines.join("\n")), _meta: { "millrace/runId": run.id } };
}

/**
 * The run as GET /api/runs/{runId} shows it; a large output or data only by its beginning, and no link that answers an
 * approval: whoever reads this may be a model, and a person is meant.
 */
export function runDetailResult(seen: SeenRun): CallToolResult {
  const half = MAX_RESULT_LENGTH / 2;
  const { output, data } = seen.run;
  const run = { ...seen.run, output: boundedJson(output, half), data: boundedJson(data, half / 4) };
  return jsonResult(stringifyWithRaw(presentRunDetail({ ...seen, run, resumeUrls: new Map() })));
}

function boundedJson(text: string | null, length: number): string | null {
  if (text === null || text.length <= length) return text;
  return JSON.stringify({ truncated: true, start: text.slice(0, length / 2).toWellFormed() });
}

/** What a caller did wrong, in words that a model can act on. */
export function refusalResult(refusal: Refusal, locale: Locale): CallToolResult {
  const { issues = [], validationErrors = [] } = refusal.details;
  const isBody = refusal.code === "invalid_request_body" && issues.length > 0;
  const lines = [
    isBody ? "The arguments do not fit:" : messageOf(refusal, locale),
    ...issues.slice(0, MAX_LISTED).map(({ path, message }) => `${placeOf(path)} ${message}`.trim()),
    ...validationErrors.slice(0, MAX_LISTED),
  ];
  return textResult(lines.join("\n"), { isError: true });
}

/** Callers of a tool know nothing of the trigger around their arguments. */
function placeOf(path: readonly PropertyKey[]): string {
  const [first, second, third, ...rest] = path;
  const isArgument = first === "payload" && second === "trigger" && third === "body";
  return pathText(isArgument ? rest : path);
}

function shortened(text: string): string {
  return text.length <= MAX_RESULT_LENGTH ? text : `${text.slice(0, MAX_RESULT_LENGTH).toWellFormed()}…`;
}
