import type { Guard } from "./mutants.ts";

const SCHEMA = "runs/schema.test.ts";
const MODEL = "runs/model/model.test.ts › whatever happens";
const RACES = "runs/races.test.ts › two at the same moment";
const FUNCTIONS = "storage/functions.test.ts";
const ORIGINS = "events/origins.test.ts";

const sql = (name: string) => `sql/${name}.sql`;

/** Guards of the schema, its functions, and how both come into a database. */
export const schemaGuards: readonly Guard[] = [
  {
    name: "epoch raised by claim",
    file: sql("claim_ready_runs"),
    cut: [["status = 'EXECUTING', epoch = r.epoch + 1,", "status = 'EXECUTING', epoch = r.epoch,"]],
    suites: [MODEL],
  },
  {
    name: "organization lock in admit",
    file: sql("admit_triggers"),
    cut: [["FOR NO KEY UPDATE;\n  IF NOT FOUND", ";\n  IF NOT FOUND"]],
    suites: [RACES],
  },
  {
    name: "organization lock in dispatch",
    file: sql("dispatch_queue"),
    cut: [["FOR NO KEY UPDATE;\n  IF FOUND", ";\n  IF FOUND"]],
    suites: [RACES],
  },
  {
    name: "repeated admission is recognized",
    file: sql("admit_triggers"),
    cut: [["IF v_again THEN", "IF false THEN"]],
    suites: ["runs/races.test.ts › a batch whose answer was lost"],
  },
  {
    name: "unique settlement",
    file: "migrations/0001_catalogue.sql",
    cut: [["CREATE UNIQUE INDEX credit_entries_once_a_run", "CREATE INDEX credit_entries_once_a_run"]],
    suites: [SCHEMA],
  },
  {
    name: "only moves of the table",
    file: "migrations/0010_functions_apart.sql",
    cut: [["OR (NEW.status <> OLD.status", "OR (false AND NEW.status <> OLD.status"]],
    suites: [SCHEMA],
  },
  {
    name: "no epoch is lowered",
    file: "migrations/0010_functions_apart.sql",
    cut: [["WHEN (NEW.epoch < OLD.epoch OR", "WHEN (false OR"]],
    suites: [SCHEMA],
  },
  {
    name: "an end is an end",
    file: sql("run_can_become"),
    cut: [["ELSE false", "ELSE true"]],
    suites: [SCHEMA],
  },
  {
    name: "newer functions are left alone",
    file: "src/storage/migrate.ts",
    cut: [
      [
        "revision > there.revision || (revision === there.revision && hash !== there.hash)",
        "hash !== there.hash",
      ],
    ],
    suites: [FUNCTIONS],
  },
  {
    name: "functions come with their migrations",
    file: "src/storage/migrate.ts",
    cut: [["`SET LOCAL check_function_bodies = off`", "`COMMIT; BEGIN`"]],
    suites: [FUNCTIONS],
  },
  {
    name: "one process migrates",
    file: "src/storage/migrate.ts",
    cut: [["    await waitForTurn(client);\n", ""]],
    suites: [FUNCTIONS],
  },
  {
    name: "a run tells that it was made",
    file: sql("insert_runs"),
    cut: [["array_agg(run_event_of(r, 'run.created', 1, NULL))", "NULL::run_event[]"]],
    suites: [`${ORIGINS} › a webhook`],
  },
  {
    name: "a run tells that it goes on",
    file: "src/storage/runs/ending.ts",
    cut: [
      [
        "event_seq = r.event_seq + (${LISTENS})::integer\n    FROM answered a",
        "event_seq = r.event_seq\n    FROM answered a",
      ],
      ["FROM resumed r WHERE r.listens", "FROM resumed r WHERE false"],
    ],
    suites: [ORIGINS],
  },
];
