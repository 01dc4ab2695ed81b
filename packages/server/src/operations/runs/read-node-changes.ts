import type { NodeChange } from "../../domain/node-changes.ts";
import { type Db, isDatabaseUnavailable } from "../../storage/pool.ts";
import { listNodeChanges, type NodesToList } from "../../storage/runs/list-node-changes.ts";

/**
 * What the database knows of the nodes of these runs, by run id. One run whose rows cannot be read costs only itself: the
 * others are read without it, and it has no nodes to tell.
 */
export async function readNodeChanges(
  db: Db,
  runs: readonly NodesToList[],
): Promise<ReadonlyMap<string, readonly NodeChange[]>> {
  try {
    return Map.groupBy(await listNodeChanges(db, runs), ({ runId }) => runId);
  } catch (error) {
    if (isDatabaseUnavailable(error) && !tookTooLong(error)) throw error;
    if (runs.length <= 1) return new Map();
    const found = new Map<string, readonly NodeChange[]>();
    for (const run of runs)
      for (const [runId, changes] of await readNodeChanges(db, [run])) found.set(runId, changes);
    return found;
  }
}

/** By the limit of a statement: the records of these runs are too large to be looked at together, or at all. */
function tookTooLong(error: unknown): boolean {
  return (error as { code?: string }).code === "57014";
}
