import type { Db } from "../../storage/pool.ts";
import {
  type ListedProcess,
  listProcesses as readProcesses,
} from "../../storage/processes/list-processes.ts";

export interface SeenProcess extends ListedProcess {
  readonly isHere: boolean;
}

export async function listProcesses({
  db,
  processId,
}: {
  readonly db: Db;
  readonly processId: string;
}): Promise<SeenProcess[]> {
  return (await readProcesses(db)).map((process) => ({ ...process, isHere: process.id === processId }));
}
