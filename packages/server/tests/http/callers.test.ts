import { afterEach, expect, it } from "vitest";
import { examineCallers } from "../../src/operations/doctor/examine-callers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addTwoOrganizations } from "../support/workspace.ts";

let service: TestService | undefined;
afterEach(() => service?.stop());

/** What doctor says once the process has told what it saw. */
async function findingAfterCalls(env: Record<string, string>, headers: Record<string, string>[]) {
  service = await startTestService(env);
  const { pool } = service.database;
  const { one } = await addTwoOrganizations(pool);
  expect((await examineCallers(pool, Date.now())).message).toContain("nobody");
  for (const each of headers) expect((await service.get("/api/flows", one, each)).status).toBe(200);
  await expect.poll(async () => (await examineCallers(pool, Date.now())).message).not.toContain("nobody");
  return examineCallers(pool, Date.now());
}

const forwarded = Array.from({ length: 5 }, (_, at) => ({ "x-forwarded-for": `198.51.100.${at}` }));

it("doctor says when all callers share the address of a proxy that is not trusted", async () => {
  const finding = await findingAfterCalls({}, forwarded);
  expect(finding).toMatchObject({ check: "callers", status: "warn" });
  expect(finding.message).toMatch(
    /all callers share the address 127\.0\.0\.1, and \d+ requests .* set MILLRACE_TRUST_PROXY/,
  );
});

it("doctor is content with a proxy that is trusted, and with callers without one", async () => {
  expect(await findingAfterCalls({ MILLRACE_TRUST_PROXY: "127.0.0.0/8" }, forwarded)).toMatchObject({
    status: "ok",
  });
  await service!.stop();
  expect(await findingAfterCalls({}, [{}])).toMatchObject({ status: "ok" });
});

it("the record stays small, however many addresses call", async () => {
  const many = Array.from({ length: 30 }, (_, at) => ({ "x-forwarded-for": `198.51.100.${at}` }));
  await findingAfterCalls({ MILLRACE_TRUST_PROXY: "127.0.0.0/8" }, many);
  const { rows } = await service!.database.pool.query(
    `SELECT count(*) AS count FROM rate_windows WHERE key LIKE 'caller:%'`,
  );
  // Two a minute, and a minute may end in between.
  expect(Number(rows[0].count)).toBeLessThanOrEqual(4);
});
