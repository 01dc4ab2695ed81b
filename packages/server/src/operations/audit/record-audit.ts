import type { Actor, AuditedChange } from "../../domain/actor.ts";
import type { IdMaker } from "../../domain/ids.ts";
import { insertAuditEntries } from "../../storage/audit/insert-audit-entries.ts";
import type { Db } from "../../storage/pool.ts";

export interface AuditContext {
  readonly db: Db;
  readonly ids: IdMaker;
}

const MAX_VALUE_BYTES = 65_536;

/** Writes down who changed what. Called in the transaction of the change, so that there is never one without the other. */
export async function recordAudit(
  { db, ids }: AuditContext,
  actor: Actor,
  ...changes: readonly AuditedChange[]
): Promise<void> {
  if (changes.length === 0) return;
  const entries = changes.map(({ organizationId, action, target, before, after }) => ({
    organizationId,
    id: ids.make("audit"),
    action,
    target,
    before: bounded(before),
    after: bounded(after),
  }));
  await insertAuditEntries(db, actor, entries);
}

function bounded(value: object | undefined): string | null {
  if (value === undefined) return null;
  const text = JSON.stringify(value);
  const bytes = Buffer.byteLength(text);
  return bytes <= MAX_VALUE_BYTES ? text : JSON.stringify({ tooLarge: true, bytes });
}
