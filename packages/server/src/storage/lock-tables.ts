import type { Db } from "./pool.ts";
import { script } from "./statement.ts";

/** From the weakest to the strongest. */
const MODES = ["SHARE", "SHARE ROW EXCLUSIVE", "ACCESS EXCLUSIVE"] as const;
type Mode = (typeof MODES)[number];

/** What a migration says, and the lock that it takes on the table behind it. */
const LOCKS: readonly (readonly [RegExp, Mode])[] = [
  [/\bALTER TABLE (?:IF EXISTS |ONLY )*(\w+)/gi, "ACCESS EXCLUSIVE"],
  [/\bDROP TABLE (?:IF EXISTS )?(\w+)/gi, "ACCESS EXCLUSIVE"],
  [/\bDROP TRIGGER (?:IF EXISTS )?\w+ ON (\w+)/gi, "ACCESS EXCLUSIVE"],
  [/\bCREATE (?:CONSTRAINT )?TRIGGER \w+ [^;]*? ON (\w+)/gi, "SHARE ROW EXCLUSIVE"],
  [/\bREFERENCES (\w+)/gi, "SHARE ROW EXCLUSIVE"],
  [/\bCREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?\w+ ON (\w+)/gi, "SHARE"],
];

/** In the order in which the service locks them; all others come later. */
const FIRST = ["api_keys", "organizations", "runs"];

/** The tables that migrations lock, in the order in which they should be, each as strongly as any of them needs. */
function tableLocks(texts: readonly string[]): [table: string, mode: Mode][] {
  const modes = new Map<string, Mode>();
  for (const text of texts.map((each) => each.replaceAll(/--.*$/gm, ""))) {
    for (const [pattern, mode] of LOCKS) {
      for (const [, table] of text.matchAll(pattern)) {
        const known = modes.get(table!);
        if (!known || MODES.indexOf(mode) > MODES.indexOf(known)) modes.set(table!, mode);
      }
    }
  }
  const place = (table: string) => (FIRST.indexOf(table) + FIRST.length + 1) % (FIRST.length + 1);
  return [...modes].toSorted(([one], [other]) => place(one) - place(other) || (one < other ? -1 : 1));
}

/** What a statement waits for behind this is given back before PostgreSQL looks for deadlocks in its name. */
const SHARE_OF_DEADLOCK_TIMEOUT = 0.5;
/** Only bounds hanging: the server gives up much earlier. */
const MAX_LOCK_MS = 60_000;

/**
 * Locks all tables that migrations need, before any of them begins: all or none. Where a statement of the service holds one
 * of the tables and waits for another, PostgreSQL ends whoever has waited for `deadlock_timeout`. That must never be the
 * service, which may be a release that answers it with a 500; so whatever cannot be had well before is given back.
 */
export async function lockTables(db: Db, texts: readonly string[]): Promise<void> {
  const commands = tableLocks(texts).map(([table, mode]) => `LOCK TABLE ${table} IN ${mode} MODE`);
  if (commands.length === 0) return;
  await db.query(
    script(
      `DO $$
       DECLARE
         v_until   timestamptz := clock_timestamp() + ${SHARE_OF_DEADLOCK_TIMEOUT} * current_setting('deadlock_timeout')::interval;
         v_command text;
       BEGIN
         FOREACH v_command IN ARRAY ARRAY['${commands.join("', '")}'] LOOP
           -- What these migrations make themselves.
           CONTINUE WHEN to_regclass(split_part(v_command, ' ', 3)) IS NULL;
           PERFORM set_config('lock_timeout',
             greatest(1, round(1000 * extract(epoch FROM v_until - clock_timestamp())))::text, true);
           EXECUTE v_command;
         END LOOP;
       END $$`,
      { query_timeout: MAX_LOCK_MS },
    ),
  );
}
