import { requestBytes, sendRaw } from "../../fuzz/raw-client.ts";
import type { Round } from "../arena/arena.ts";
import { joined, type Outcome } from "../case.ts";
import { runsEnd } from "./runs-end.ts";

/** To check forty of the largest flows takes 12 s of processor time on a slow machine, and their organization has half of it. */
const MAX_ANSWER_MS = 40_000;
const SHOWN_CHARACTERS = 200;

/** So many runs of a flow at once, from their triggers to their ends. */
export async function triggerAll(
  round: Round,
  flowId: string,
  payload: object,
  runs: number,
): Promise<Outcome> {
  const body = Buffer.from(JSON.stringify({ payload: { flowId, ...payload } }));
  const triggered = await Promise.all(Array.from({ length: runs }, () => trigger(round, body)));
  return joined([...triggered, await runsEnd(round, flowId)]);
}

async function trigger({ service, workspace }: Round, body: Buffer): Promise<Outcome> {
  const headers: [string, string][] = [
    ["authorization", `Bearer ${workspace.key}`],
    ["content-type", "application/json"],
    ["content-length", String(body.length)],
  ];
  const bytes = requestBytes({ method: "POST", target: "/api/runs", headers, body });
  try {
    const answer = await sendRaw({ address: service.address, bytes }, MAX_ANSWER_MS);
    const text = `${answer?.status ?? "no answer"} ${answer?.text.slice(0, SHOWN_CHARACTERS) ?? ""}`;
    if (answer?.status === 500) return { faults: [text], notes: [] };
    return { faults: [], notes: answer && answer.status < 300 ? [] : [text] };
  } catch (error) {
    return { faults: [(error as Error).message], notes: [] };
  }
}
