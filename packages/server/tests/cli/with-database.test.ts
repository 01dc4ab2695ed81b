import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeWithDatabase } from "../../src/cli/with-database.ts";
import { buildProgram } from "../../src/cli/program.ts";
import { runProgram } from "../../src/cli/run-program.ts";
import { toConfig } from "../../src/config/load-config.ts";
import { listOrganizations } from "../../src/storage/catalogue/list-organizations.ts";
import { putOrganization } from "../../src/storage/catalogue/put-organization.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { createTestDatabase } from "../support/database.ts";

let dataDirectory: string;
beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "millrace-beside-"));
});
afterAll(() => rm(dataDirectory, { recursive: true, force: true }));

describe("a command", () => {
  it("works alone on the built-in database, which it starts, migrates and stops", async () => {
    const config = toConfig({ MILLRACE_DATA_DIR: dataDirectory });
    const list = (mayCreate: boolean) =>
      makeWithDatabase(
        () => config,
        () => mayCreate,
      )("orgs list", ({ pool }) => listOrganizations(pool));
    // It makes none by itself.
    await expect(list(false)).rejects.toThrow("say --database to make one here");
    expect(await readdir(dataDirectory)).toEqual([]);
    expect(await list(true)).toEqual([]);
    expect(await list(false)).toEqual([]);
    // A service of its own could not start if the command had left anything running.
    const service = await openDatabase(config, { command: "start", shared: false, answerTimeoutMs: 2_500 });
    await service.close();
  });

  it("works beside a running service and leaves it running", async () => {
    const config = toConfig({ MILLRACE_DATA_DIR: dataDirectory });
    const service = await openDatabase(config, { command: "start", shared: false, answerTimeoutMs: 2_500 });
    try {
      await makeWithDatabase(() => config)("orgs list", ({ pool }) =>
        putOrganization(pool, { id: "org_a", name: "A" }),
      );
      expect(await listOrganizations(service.pool)).toHaveLength(1);
    } finally {
      await service.close();
    }
  });

  it("says in one line that the database cannot be reached, and where to look", async () => {
    // Nothing listens on port 1.
    const env = {
      DATABASE_URL: "postgres://a:secret-password@127.0.0.1:1/x",
      MILLRACE_SECRET_KEY: "0".repeat(64),
    };
    const out: string[] = [];
    const err: string[] = [];
    const stderr = (text: string) => void err.push(text);
    const program = buildProgram({
      withDatabase: makeWithDatabase(() => toConfig(env)),
      stdout: (text) => void out.push(text),
      stderr,
      env,
      catalogue: new Map(),
      isDatabaseMeant: () => false,
      dryRun: () => Promise.reject(new Error("not here")),
      withReplay: () => Promise.reject(new Error("not here")),
      interruption: () => new AbortController().signal,
      startCommands: () => {},
    });
    expect(await runProgram(program, ["node", "millrace", "orgs", "list"], stderr)).toBe(1);
    expect(err).toEqual([
      expect.stringMatching(/^error: The database cannot be used right now .*; see: millrace doctor$/),
    ]);
    expect(await runProgram(program, ["node", "millrace", "doctor"], stderr)).toBe(1);
    expect(out.join("\n")).toMatch(/fail {2}database .*check that it runs and that DATABASE_URL is right/);
    expect([...out, ...err].join()).not.toContain("secret-password");
  });

  it("asks for a migration where the configured database needs one", async () => {
    const test = await createTestDatabase();
    try {
      await test.pool.query(`DELETE FROM millrace_migrations`);
      const { host, user, database, password } = test.connection;
      const databaseUrl = `postgres://${user}:${password as string}@/${database}?host=${encodeURIComponent(host!)}`;
      const config = toConfig({ DATABASE_URL: databaseUrl, MILLRACE_SECRET_KEY: "0".repeat(64) });
      const withDatabase = makeWithDatabase(() => config);
      await expect(withDatabase("orgs list", ({ pool }) => listOrganizations(pool))).rejects.toThrow(
        "run: millrace migrate",
      );
      expect(await withDatabase("doctor", async () => "looked", { anySchema: true })).toBe("looked");
    } finally {
      await test.drop();
    }
  });
});
