import { lowestIdAt } from "../../domain/ids.ts";
import type { Duty } from "../../lifecycle/duty.ts";
import { deleteOldAuditEntries } from "../../storage/audit/delete-old-audit-entries.ts";
import type { Pool } from "../../storage/pool.ts";
import { carryCredits, deleteOldRuns } from "../../storage/retention/delete-old-runs.ts";
import { deleteOldJobs } from "../../storage/jobs/work-on-job.ts";
import { deleteOldSessions } from "../../storage/sessions/delete-old-sessions.ts";
import { deleteTestVersions } from "../../storage/retention/delete-test-versions.ts";
import { listOrganizationsToTidy } from "../../storage/retention/list-organizations.ts";

export interface RetentionParts {
  readonly pool: Pool;
  /** 0 keeps everything. */
  readonly retentionDays: number;
  readonly nowMs: () => number;
}

const DAY_MS = 86_400_000;
const CARRY_AFTER_MS = 600_000;

/** Forgets what is old enough, in pages that never hold anybody up. */
export function retention({ pool, retentionDays, nowMs }: RetentionParts): Duty {
  return {
    name: "retention",
    intervalMs: 60_000,
    async runOnce(signal) {
      await deleteOldJobs(pool);
      await deleteOldSessions(pool);
      for (const { id, creditsLimited } of await listOrganizationsToTidy(pool)) {
        if (creditsLimited) await carryCredits(pool, id, lowestIdAt("run", nowMs() - CARRY_AFTER_MS));
        while (!signal.aborted && (await deleteOldAuditEntries(pool, id)) > 0);
        if (retentionDays === 0) continue;
        const beforeMs = nowMs() - retentionDays * DAY_MS;
        const olderThan = lowestIdAt("run", beforeMs);
        while (!signal.aborted && (await deleteOldRuns(pool, id, olderThan)) > 0);
        while (!signal.aborted && (await deleteTestVersions(pool, id, new Date(beforeMs))) > 0);
      }
    },
  };
}
