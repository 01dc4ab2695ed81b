import type { NodePlace } from "../../domain/fork/node-place.ts";
import { writeJson } from "../../domain/write-json.ts";
import { driveSliced } from "../../domain/sliced.ts";
import { eventLoop } from "../../lifecycle/event-loop.ts";
import type { Fork } from "../../storage/forks/fork-runs.ts";
import type { EndedNode } from "../../storage/forks/list-fork-records.ts";

type NewRecord = Fork["records"][number];

/** A node counts as completed with a given output, and is left the way it was left before, if it was. */
export async function givenRecord(
  organizationId: string,
  place: NodePlace,
  { output, before, nowMs }: { output: unknown; before: EndedNode | undefined; nowMs: number },
): Promise<NewRecord> {
  const written = await driveSliced(writeJson(output), () => eventLoop.giveWay(organizationId));
  const { nodeKey } = place;
  const handle = before?.handle == null ? "" : `,"handle":${JSON.stringify(before.handle)}`;
  const head = headOf(place, "COMPLETED", before?.startedAt ?? nowMs, before?.endedAt ?? nowMs);
  const log = JSON.stringify(["The output was given when the run was forked."]);
  return { nodeKey, text: `${head},"attempts":1,"output":${written}${handle},"log":${log}}` };
}

/** Something is known of the node: the round of a `while` that it is in has begun. */
export function markRecord(place: NodePlace, nowMs: number): NewRecord {
  const head = headOf(place, "EXECUTING", nowMs, nowMs);
  return { nodeKey: place.nodeKey, text: `${head},"attempts":1,"log":[]}` };
}

/** What is read without the rest stands first, as the engine writes it. */
function headOf({ nodeKey, node }: NodePlace, status: string, startedAt: number, endedAt: number): string {
  return JSON.stringify({ nodeKey, nodeId: node.id, type: node.type, status, startedAt, endedAt }).slice(
    0,
    -1,
  );
}
