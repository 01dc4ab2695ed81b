import { requestBytes, sendRaw } from "../../fuzz/raw-client.ts";
import { addFlow } from "../../support/workspace.ts";
import type { Arena, Round } from "../arena/arena.ts";
import { checks } from "../checks/checks.ts";
import { type Case, type FlowDeed, joined, type Outcome, type RequestDeed } from "../case.ts";
import { lookAtRuns } from "./look-at-runs.ts";
import { performUpstream } from "./perform-upstream.ts";
import { bytesOf, inChunks } from "../bytes.ts";
import { cook } from "../recipes.ts";
import { runsEnd } from "./runs-end.ts";
import { ORGANIZATION } from "../arena/stalls-workspace.ts";
import { triggerAll } from "./trigger-all.ts";

const MAX_ANSWER_MS = 20_000;
let made = 0;

/** Does what a case says. */
export async function perform(arena: Arena, round: Round, deed: Case): Promise<Outcome> {
  switch (deed.action) {
    case "flow":
      // All that are generated; of the named ones those that are about it.
      return performFlow(round, { looked: deed.name === undefined, ...deed });
    case "request":
      return performRequest(round, deed);
    case "check":
      return { faults: await checked(arena, round, deed.check), notes: [] };
    case "upstream":
      return performUpstream(arena, round, deed);
  }
}

async function checked(arena: Arena, round: Round, name: string): Promise<string[]> {
  try {
    return await checks[name]!(arena, round);
  } catch (error) {
    return [(error as Error).message];
  }
}

/** Each request comes from somewhere else, so that none is turned away for what others did. */
function nextAddress(): string {
  made += 1;
  return `127.${1 + ((made >> 16) % 100)}.${(made >> 8) % 256}.${made % 256}`;
}

async function performFlow(
  round: Round,
  { graph, input, payload, runs = 1, copies = 1, looked }: FlowDeed,
): Promise<Outcome> {
  const flowIds = Array.from({ length: copies }, () => `flow_${++made}`);
  const settings = input === undefined ? undefined : { input: cook(input) };
  const cooked = cook(graph) as object;
  for (const flowId of flowIds) {
    await addFlow(round.db, ORGANIZATION, flowId, { graph: cooked, ...(settings && { settings }) });
    // The service keeps the text too: in the other column a number like 1e300 becomes one of three hundred digits.
    await round.db.query(`UPDATE flow_versions SET ordered_graph = $2 WHERE flow_id = $1`, [
      flowId,
      JSON.stringify(cooked),
    ]);
  }
  const given = cook(payload ?? {}) as object;
  const ran = await Promise.all(flowIds.map((flowId) => triggerAll(round, flowId, given, runs)));
  return joined(looked ? [...ran, await lookAtRuns(round, flowIds[0]!)] : ran);
}

async function performRequest(round: Round, deed: RequestDeed): Promise<Outcome> {
  const { workspace, service } = round;
  const target = deed.target.replace(/\{(\w+)\}/, (_, name: string) => workspace.paths[name] ?? "");
  const body = deed.body && bytesOf(deed.body);
  const framed = body && deed.chunkBytes ? inChunks(body, deed.chunkBytes) : body;
  const named = deed.headers.map(([name, value]) => [name, bytesOf(value).toString("latin1")] as const);
  const has = (name: string) => named.some(([known]) => known.toLowerCase() === name);
  const headers: (readonly [string, string])[] = [...named];
  if (!has("authorization")) headers.push(["authorization", `Bearer ${workspace.key}`]);
  if (body && deed.chunkBytes) headers.push(["transfer-encoding", "chunked"]);
  else if (body && !has("content-length")) headers.push(["content-length", String(body.length)]);
  const bytes = requestBytes({ method: deed.method, target, headers, ...(framed && { body: framed }) });
  try {
    const isHead = deed.method === "HEAD";
    const answer = await sendRaw(
      { address: service.address, bytes, isHead, from: nextAddress() },
      MAX_ANSWER_MS,
    );
    const ended = await runsEnd(round, "flow_hello");
    const notes = [`answered ${answer?.status ?? "nothing"}`, ...ended.notes];
    if (answer?.status !== 500) return { faults: ended.faults, notes };
    return { faults: [`answered 500: ${answer.text.slice(0, 200)}`, ...ended.faults], notes };
  } catch (error) {
    return { faults: [(error as Error).message], notes: [] };
  }
}
