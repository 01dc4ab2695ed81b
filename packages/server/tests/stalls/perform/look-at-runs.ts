import type { Round } from "../arena/arena.ts";
import type { Outcome } from "../case.ts";
import { runsEnd } from "./runs-end.ts";

const MAX_ANSWER_MS = 20_000;
/** A stream of a run that waits for somebody has no end. */
const MAX_STREAM_MS = 500;
const NOTHING: Outcome = { faults: [], notes: [] };

type Question = readonly [method: string, path: string, body?: object];

/** Executes the last run of a flow again, and asks for everything that can be asked about the two. */
export async function lookAtRuns(round: Round, flowId: string): Promise<Outcome> {
  const runId = await lastRun(round, flowId);
  if (runId === undefined) return NOTHING;
  const forked = await ask(round, ["POST", `/api/runs/${runId}/fork`, { from: "start" }]);
  const ended = await runsEnd(round, flowId);
  const otherRunId = (await lastRun(round, flowId)) ?? runId;
  const asked: Outcome[] = [forked, ended];
  for (const question of await questions(round, runId, otherRunId)) asked.push(await ask(round, question));
  return {
    faults: asked.flatMap(({ faults }) => faults),
    notes: asked.flatMap(({ notes }) => notes),
  };
}

async function lastRun({ db }: Round, flowId: string): Promise<string | undefined> {
  const { rows } = await db.query(`SELECT id FROM runs WHERE flow_id = $1 ORDER BY id DESC LIMIT 1`, [
    flowId,
  ]);
  return rows[0]?.id as string | undefined;
}

/** Every route about a run that answers GET, as the service lists them itself, and those that make something of it. */
async function questions(round: Round, runId: string, otherRunId: string): Promise<Question[]> {
  const { rows } = await round.db.query(
    `SELECT nodes->0->>'nodeKey' AS key FROM run_results WHERE run_id = $1`,
    [runId],
  );
  const values: Record<string, string> = {
    runId,
    otherRunId,
    nodeKey: encodeURIComponent((rows[0]?.key as string | null | undefined) ?? "none"),
  };
  const answer = await fetch(`${round.service.address}/openapi.json`);
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, object>> };
  const reads = Object.entries(paths)
    .filter(([path, verbs]) => path.includes("{runId}") && "get" in verbs)
    .map(([path]): Question => [
      "GET",
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "x"),
    ]);
  return [
    ...reads,
    ["GET", `/api/runs/${runId}/stream?include=nodes`],
    ["POST", `/manage/runs/${runId}/test`, {}],
    ["POST", `/manage/runs/${runId}/test`, { keep: ["*"] }],
  ];
}

async function ask({ service, workspace }: Round, [method, path, body]: Question): Promise<Outcome> {
  const isStream = path.includes("/stream");
  try {
    const answer = await fetch(`${service.address}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${workspace.key}`,
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(isStream ? MAX_STREAM_MS : MAX_ANSWER_MS),
    });
    const text = await answer.text();
    return answer.status === 500
      ? { faults: [`${method} ${path}: ${text.slice(0, 200)}`], notes: [] }
      : NOTHING;
  } catch (error) {
    return isStream ? NOTHING : { faults: [`${method} ${path}: ${(error as Error).message}`], notes: [] };
  }
}
