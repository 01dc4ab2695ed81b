import type { TriggerSource } from "@millrace/contract/run-status";
import type { Principal } from "../../domain/principal.ts";
import type { Db } from "../../storage/pool.ts";
import { findRunTrigger, type RunTriggerValues } from "../../storage/run-values/find-run-trigger.ts";
import { findSeenRun } from "./find-seen-run.ts";

export interface RunTrigger {
  readonly triggerSource: TriggerSource;
  /** Missing where they are not to be shown. */
  readonly values: RunTriggerValues | undefined;
}

const NOTHING: RunTriggerValues = { trigger: null, data: null, inputs: null, variablesVersion: null };

export async function getRunTrigger(
  { db }: { readonly db: Db },
  principal: Principal,
  runId: string,
): Promise<RunTrigger> {
  const { run, showsValues } = await findSeenRun(db, principal, runId);
  const { triggerSource, organizationId } = run;
  if (!showsValues) return { triggerSource, values: undefined };
  return { triggerSource, values: (await findRunTrigger(db, organizationId, runId)) ?? NOTHING };
}
