import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate } from "../../src/storage/migrate.ts";
import { readSchemaFiles } from "../../src/storage/schema-files.ts";
import { type ChildService, serviceEnv, startChildService } from "../support/child-service.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { fillLoadWorkspace, type LoadWorkspace } from "../support/load-workspace.ts";
import { type OtherRelease, pastRelease } from "../support/other-release.ts";
import { expectEachRunEndedOnce, untilAllEnded } from "../support/run-invariants.ts";
import { chain, fan, node } from "../support/runs-flows.ts";
import { until } from "../support/runs-until.ts";
import { startTriggerLoad } from "../support/trigger-load.ts";
import { addFlow } from "../support/workspace.ts";

/** The last one whose functions stood in its migrations. */
const BEFORE = "b42a037cc53392e1368a6408da80a9ee8d707564";

const before: OtherRelease | undefined = await pastRelease(BEFORE);

describe.skipIf(before === undefined)("a database of the release before", () => {
  let database: TestDatabase;
  let workspace: LoadWorkspace;
  const children: ChildService[] = [];
  beforeAll(async () => {
    database = await createTestDatabase(10, "template0");
    await promisify(execFile)(process.execPath, [before!.program, "migrate"], {
      env: serviceEnv(database.connection),
    });
    workspace = await fillLoadWorkspace(database.pool);
    const waits = node("later", "wait", { duration: "6s" });
    const calls = ["one", "two"].map((id) => node(id, "run-flow", { flowId: "flow_hello" }));
    await addFlow(database.pool, "org_run", "flow_waits", { graph: chain(waits) });
    await addFlow(database.pool, "org_run", "flow_calls", { graph: fan(...calls) });
  });
  afterAll(async () => {
    await Promise.all(children.map((child) => child.end()));
    await workspace.close();
    await before!.remove();
    await database.drop();
  });

  it("is upgraded under load by a rolling deploy, and nothing is lost", async () => {
    const { pool, connection } = database;
    const start = async (role: "api" | "worker", program?: string) => {
      const child = await startChildService(role, connection, {}, program);
      children.push(child);
      return child;
    };
    const [oldApi, oldWorker] = await Promise.all([
      start("api", before!.program),
      start("worker", before!.program),
    ]);
    const addresses = [oldApi.address];
    const load = startTriggerLoad({
      addresses,
      key: workspace.key,
      flowIds: ["flow_hello", "flow_effect", "flow_waits", "flow_calls"],
      clients: 6,
      pauseMs: 40,
    });
    const { acknowledged } = load.log;
    const untilMore = (what: string) => {
      const known = acknowledged.length;
      return until(what, () => acknowledged.length >= known + 100);
    };
    await untilMore("the old release serves");
    await until(
      "runs wait in every way",
      async () => (await pool.query(`SELECT count(DISTINCT status) AS count FROM runs`)).rows[0].count >= 3,
    );

    const { migrations, functions } = await readSchemaFiles();
    expect(await migrate(pool)).toEqual([
      ...migrations.slice(8).map(({ name }) => name),
      ...functions.map(({ name }) => `${name}.sql`),
    ]);
    await untilMore("the old release serves on the new schema");
    addresses.push((await start("api")).address);
    await untilMore("both serve, the old one does the work");
    await start("worker");
    await untilMore("both serve and do the work");
    addresses.shift();
    await untilMore("the new one serves");
    oldApi.signal("SIGTERM");
    oldWorker.signal("SIGTERM");
    await Promise.all([oldApi.exited, oldWorker.exited]);
    await untilMore("the new one does the work");

    const log = await load.stop();
    await untilAllEnded(pool, 60_000);
    expect([log.unexpected, log.unknown]).toEqual([[], 0]);
    await expectEachRunEndedOnce(pool, log);
  }, 480_000);
});
