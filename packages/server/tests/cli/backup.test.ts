import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrate } from "../../src/storage/migrate.ts";
import { createTestDatabase, type RawDb, type TestDatabase } from "../support/database.ts";
import { hello, node } from "../support/runs-flows.ts";
import { asRunService, startRunService } from "../support/runs-service.ts";
import { startTestService } from "../support/service.ts";
import { createTerminal, type Terminal } from "./terminal.ts";

let directory: string;
let file: string;
let terminal: Terminal;
let target: TestDatabase;
const dropped: TestDatabase[] = [];
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "millrace-backup-"));
  file = join(directory, "all.backup.gz");
  terminal = await createTerminal();
  target = await emptyDatabase();
});
afterAll(async () => {
  for (const database of dropped) await database.drop();
  await terminal.close();
  await rm(directory, { recursive: true, force: true });
});

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase(4, "template0");
  dropped.push(database);
  await migrate(database.pool);
  return database;
}

const over = (database: TestDatabase) => ({
  withDatabase: (_command: string, work: (opened: never) => Promise<never>) => work(database as never),
});
const run = (line: string, database: TestDatabase) => terminal.run(line, {}, over(database) as never);

/** Every row of every table that lasts, letter by letter. */
async function contents(db: RawDb): Promise<Record<string, string[]>> {
  const { rows } = await db.query(
    `SELECT relname::text AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relpersistence = 'p'
       AND relname NOT IN ('millrace_migrations', 'millrace_functions', 'processes') ORDER BY 1`,
  );
  const all: Record<string, string[]> = {};
  for (const { name } of rows as { name: string }[])
    all[name] = (await db.query(`SELECT t::text AS row FROM "${name}" t ORDER BY 1`)).rows.map(
      ({ row }) => row,
    );
  return all;
}

it("brings back everything, and what was paused goes on where it was", async () => {
  const source = await createTestDatabase();
  dropped.push(source);
  const before = await startRunService({ credits: 1_000 }, () => startTestService({}, { database: source }));
  await source.pool.query(
    `INSERT INTO event_endpoints (organization_id, id, url, events, secret_ciphertext) VALUES ('org_run', 'end_a', 'http://127.0.0.1:1/', '{*}', 'x')`,
  );
  await before.flow("flow_hello", hello);
  await before.flow("flow_asking", {
    nodes: [
      { id: "start", type: "start", data: {} },
      node("ask", "approval", { message: 'Quotes " and \\ and\nlines, é, 𝄞' }),
      node("done", "return", { value: { text: "went on" } }),
    ],
    edges: [
      { id: "a", source: "start", target: "ask" },
      { id: "b", source: "ask", sourceHandle: "approved", target: "done" },
    ],
  });
  const body = { name: 'Ada "the" \\ first\n', nothing: null, list: [1, [2, {}]] };
  const done = await before.begin("flow_hello", { payload: { trigger: { body } }, tags: ["a,b", "(c)"] });
  await before.untilEnd(done);
  const asking = await before.begin("flow_asking");
  await before.untilStatus(asking, "PAUSED");
  const { key } = before;

  // While the service goes on.
  expect(await run(`backup ${file}`, source)).toMatchObject({ code: 0, stderr: "" });
  expect((await stat(file)).mode & 0o077).toBe(0);
  await before.stop();

  expect(await run(`restore ${file}`, target)).toMatchObject({ code: 0, stderr: "" });
  const [stored, restored] = [await contents(source.pool), await contents(target.pool)];
  for (const table of ["runs", "run_payloads", "run_waits", "event_batches", "credit_entries", "api_keys"])
    expect([table, stored[table]!.length > 0]).toEqual([table, true]);
  // A few rows have moved on between the backup and the end of the service: keys that were used, feeds that were tried.
  for (const table of Object.keys(stored))
    if (!["api_keys", "event_feeds", "event_deliveries", "event_batches"].includes(table))
      expect([table, restored[table]]).toEqual([table, stored[table]]);

  const service = asRunService(await startTestService({}, { database: target }), key);
  try {
    expect((await service.get(`/api/runs/${done}`, key)).body.data.status).toBe("COMPLETED");
    await service.send("POST", `/api/runs/${asking}/resume`, { key, body: { decision: "approved" } });
    expect((await service.untilEnd(asking)).output).toEqual({ text: "went on" });
    await service.untilEnd(await service.begin("flow_hello"));
    const { rows } = await target.pool.query(
      `SELECT count(*)::integer AS all, count(DISTINCT number)::integer AS numbers FROM event_batches`,
    );
    expect(rows[0].numbers).toBe(rows[0].all);
  } finally {
    await service.stop();
  }
}, 60_000);

it("is refused by a database that is used, by another schema, and where it is damaged", async () => {
  expect(await run(`restore ${file}`, target)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("not empty"),
  });
  const lines = gunzipSync(await readFile(file))
    .toString()
    .trimEnd()
    .split("\n");
  const write = async (name: string, text: string) => {
    await writeFile(join(directory, name), gzipSync(text));
    return join(directory, name);
  };
  const empty = await emptyDatabase();
  const restoring = async (path: string) => (await run(`restore ${path}`, empty)).stderr;
  expect(await restoring(await write("cut", lines.slice(0, -1).join("\n")))).toContain("ends too early");
  expect(
    await restoring(
      await write(
        "less",
        lines
          .toSpliced(
            lines.findLastIndex((line) => line.startsWith('"')),
            1,
          )
          .join("\n"),
      ),
    ),
  ).toContain("rows, but has");
  const head = JSON.parse(lines[0]!) as { schema: number };
  const older = JSON.stringify({ ...head, schema: head.schema - 1 });
  expect(await restoring(await write("older", [older, ...lines.slice(1)].join("\n")))).toContain(
    "the release that made it",
  );
  expect(await restoring(await write("other", '{"hello":1}'))).toContain("no backup");
  expect(await restoring(await write("broken", `${lines[0]}\n{`))).toContain("damaged");
  await writeFile(join(directory, "plain"), "hello");
  expect(await restoring(join(directory, "plain"))).not.toBe("");
  expect((await contents(empty.pool))["organizations"]).toEqual([]);
  expect(await restoring(file)).toBe("");
}, 60_000);
