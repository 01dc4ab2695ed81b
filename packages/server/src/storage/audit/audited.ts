import type { Actor } from "../../domain/actor.ts";

/** An entry of the audit log that the statement of the change itself writes; without one nothing is noted. */
export interface AuditNote {
  readonly entryId: string;
  readonly actor: Actor;
}

/** What `auditedBy` reads. */
export function auditParameter(note: AuditNote | undefined): string | null {
  return note ? JSON.stringify({ id: note.entryId, ...note.actor }) : null;
}

/**
 * A part of a statement that changes a run, because no process may hold a run's lock between two statements. `parameter`
 * is the JSON of the note; `rows` has organization_id and `target`.
 */
export function auditedBy(
  parameter: string,
  { action, rows, target, after = "NULL" }: { action: string; rows: string; target: string; after?: string },
): string {
  const of = (name: string) => `${parameter}::jsonb->>'${name}'`;
  return `audited AS (
       INSERT INTO audit_entries (organization_id, id, created_at, user_id, via, via_id, address, action, target, after)
       SELECT n.organization_id, ${of("id")}, millrace_now(), ${of("userId")}, ${of("via")}, ${of("viaId")}, ${of("address")},
              '${action}', n.${target}, ${after}
         FROM ${rows} n WHERE ${parameter}::jsonb IS NOT NULL
     )`;
}
