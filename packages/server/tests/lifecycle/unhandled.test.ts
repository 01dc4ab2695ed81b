import { afterAll, beforeAll, expect, it } from "vitest";
import { urlOfDatabase } from "../fuzz/fuzzed-service.ts";
import { freePort, runMillrace } from "../support/child-millrace.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { until } from "../support/runs-until.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const FAULT = `process.on("SIGUSR2", () => { Promise.reject(new Error("stray")); })`;

it("an error that nobody waits for is logged, and the service goes on", async () => {
  const millrace = runMillrace(["start"], {
    DATABASE_URL: urlOfDatabase(database.connection),
    MILLRACE_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    MILLRACE_SUPERVISE: "off",
    MILLRACE_LOG_FORMAT: "json",
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(FAULT)}`,
    PORT: String(await freePort()),
  });
  try {
    await millrace.ready();
    millrace.process.kill("SIGUSR2");
    await until("the error is logged", () => millrace.output().includes("an error went unhandled"));
    expect(millrace.output()).toContain("stray");
    expect((await fetch(`${millrace.url}/readyz`)).status).toBe(200);
    expect(millrace.process.exitCode).toBeNull();
  } finally {
    millrace.process.kill("SIGKILL");
    await millrace.exited();
  }
});
