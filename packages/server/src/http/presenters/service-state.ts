import type { ManagedDutyWire, ManagedProcessWire } from "@millrace/contract/manage/service";
import type { DutyState } from "../../lifecycle/duty.ts";
import type { SeenProcess } from "../../operations/service/list-processes.ts";

export function presentProcess({
  startedAt,
  heartbeatAt,
  isHere,
  ...process
}: SeenProcess): ManagedProcessWire {
  return {
    ...process,
    startedAt: startedAt.toISOString(),
    heartbeatAt: heartbeatAt.toISOString(),
    here: isHere,
  };
}

export function presentDuty({
  name,
  intervalMs,
  lastSuccessAt,
  failures,
  lastError,
}: DutyState): ManagedDutyWire {
  return {
    name,
    intervalSeconds: intervalMs / 1000,
    ...(lastSuccessAt && { lastSuccessAt: lastSuccessAt.toISOString() }),
    failures,
    ...(lastError !== undefined && { lastError }),
  };
}
