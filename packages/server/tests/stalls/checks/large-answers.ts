import { addFlow, addOrganization } from "../../support/workspace.ts";
import { chain, node } from "../../support/runs-flows.ts";
import type { Arena, Round } from "../arena/arena.ts";
import { addOwnerKey } from "../arena/owner-key.ts";
import { type Flooded, flood, request } from "./floods.ts";

const LENGTH = 2_400_000;
/** More than the service sends, or reads from the database, at once. */
const READERS = 60;
const SILENT_MS = 5_000;

interface LargeRun {
  readonly id: string;
  readonly key: string;
}

/** A run whose output takes 10 MB, and each of its nodes nearly as much. */
async function largeRun({ db, service }: Round, organizationId: string): Promise<LargeRun> {
  await addOrganization(db, organizationId);
  const { key } = await addOwnerKey(db, organizationId);
  const flowId = `flow_${organizationId}`;
  const graph = chain(
    node("twice", "template", { text: "{{ data.text & data.text }}" }),
    node("done", "return", { value: { first: "{{ nodes.twice.text }}", second: "{{ nodes.twice.text }}" } }),
  );
  await addFlow(db, organizationId, flowId, { graph });
  const answer = await fetch(`${service.address}/api/runs?wait=30s`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ payload: { flowId, data: { text: "x".repeat(LENGTH) } } }),
  });
  const { data } = (await answer.json()) as { data: { id: string; status: string } };
  if (data.status !== "COMPLETED") throw new Error(`the large run is ${data.status}`);
  return { id: data.id, key };
}

/** Each is in memory until the last of it is read. */
export async function manyAskForLargeValues(_arena: Arena, round: Round): Promise<string[]> {
  const { id, key } = await largeRun(round, "org_large");
  const faults: string[] = [];
  for (const path of [`/api/runs/${id}`, `/manage/runs/${id}/nodes/twice`, `/manage/runs/${id}/trigger`]) {
    const plan = { text: request(path, key), connections: READERS, bytes: 2 * LENGTH };
    faults.push(...(await flood(round, plan, async (flooded) => answered(path, flooded))));
  }
  return faults;
}

function answered(path: string, { statuses }: Flooded): string[] {
  const { 200: sent = 0, 503: refused = 0 } = statuses;
  return sent > 0 && sent + refused === READERS ? [] : [`${path}: ${JSON.stringify(statuses)}`];
}

/** As many as may be open, with somebody at their end who never reads. */
export async function nobodyReadsLargeAnswers(_arena: Arena, round: Round): Promise<string[]> {
  const { id, key } = await largeRun(round, "org_silent");
  const other = await largeRun(round, "org_reader");
  const plan = { text: request(`/api/runs/${id}`, key), connections: 20, bytes: Infinity };
  const hold = async (times: number): Promise<string[]> => {
    if (times > 0) return flood(round, { ...plan, isSilent: true, maxMs: SILENT_MS }, () => hold(times - 1));
    const answer = await fetch(`${round.service.address}/api/runs/${other.id}`, {
      headers: { authorization: `Bearer ${other.key}` },
    });
    const { length } = await answer.text();
    return length > 4 * LENGTH ? [] : [`another organization got ${answer.status}`];
  };
  return hold(6);
}
