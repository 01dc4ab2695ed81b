import { afterAll, beforeAll, expect, it } from "vitest";
import { type ChildMillrace, freePort, runMillrace } from "../support/child-millrace.ts";
import { urlOfDatabase } from "../fuzz/fuzzed-service.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
let env: Record<string, string>;
beforeAll(async () => {
  database = await createTestDatabase();
  env = {
    DATABASE_URL: urlOfDatabase(database.connection),
    MILLRACE_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    MILLRACE_SUPERVISE: "off",
    // What executes is waited for when the service stops.
    MILLRACE_DEMO: "flows",
    MILLRACE_LOG_LEVEL: "silent",
    PORT: String(await freePort()),
  };
});
afterAll(() => database.drop());

async function started(...args: string[]): Promise<string> {
  const child: ChildMillrace = runMillrace(["start", ...args], env);
  try {
    await child.ready();
    child.process.kill("SIGTERM");
    expect(await child.exited()).toBe(0);
    return child.output();
  } finally {
    child.process.kill("SIGKILL");
  }
}

it("says which commands come first on an empty database of one's own, and puts nothing into it", async () => {
  const said = await started();
  expect(said).toContain(`Millrace answers at http://127.0.0.1:${env["PORT"]}`);
  for (const command of ["millrace apply organization.yaml", "millrace keys create --org org_main"])
    expect(said).toContain(command);
  expect(said).toContain("millrace start --demo");
  expect((await database.pool.query(`SELECT FROM organizations`)).rows).toEqual([]);

  const demo = await started("--demo");
  const key = /mr_org_\w+/.exec(demo)![0];
  expect(key).not.toBe("");
  expect((await database.pool.query(`SELECT id FROM organizations`)).rows).toEqual([{ id: "org_demo" }]);
  // Once there is something, nothing is said or made any more.
  expect(await started("--demo")).not.toContain("mr_org_");
  expect(await started()).not.toContain("organization.yaml");
});
