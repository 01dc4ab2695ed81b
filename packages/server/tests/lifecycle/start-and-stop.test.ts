import { createServer } from "node:net";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ChildMillrace, freePort, runMillrace, temporaryDirectory } from "../support/child-millrace.ts";

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let env: Record<string, string>;
const started: ChildMillrace[] = [];

function start(args: string[] = ["start"], more: Record<string, string> = {}): ChildMillrace {
  const child = runMillrace(args, { ...env, ...more });
  started.push(child);
  return child;
}

beforeAll(async () => {
  directory = await temporaryDirectory();
  env = {
    MILLRACE_DATA_DIR: join(directory.path, "data"),
    PORT: String(await freePort()),
    MILLRACE_DEMO: "flows",
  };
});
afterEach(async () => {
  for (const child of started.splice(0)) {
    child.process.kill("SIGKILL");
    await child.exited();
    // What it supervised ends a moment later, and must not answer in the name of the next one.
    const answers = () =>
      fetch(`${child.url}/healthz`).then(
        () => true,
        () => false,
      );
    await expect.poll(answers).toBe(false);
  }
});
afterAll(async () => {
  // The last start stops PostgreSQL in order; whatever a killed one left behind goes with it.
  const last = runMillrace(["migrate"], env);
  await last.exited();
  await directory.remove();
});

async function postmasterPid(): Promise<number> {
  const text = await readFile(join(env["MILLRACE_DATA_DIR"]!, "postgres", "postmaster.pid"), "utf8");
  return Number(text.split("\n")[0]);
}

/** The postmaster and the processes it has made for its connections. */
async function postgresPids(): Promise<number[]> {
  const postmaster = await postmasterPid();
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, "utf8");
  return [postmaster, ...children.trim().split(" ").map(Number)];
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("millrace start", { timeout: 120_000 }, () => {
  it("prints a key and lines that work, once, and stops cleanly with its PostgreSQL on SIGTERM", async () => {
    const first = start();
    await first.ready();
    await expect.poll(() => first.output(), { timeout: 30_000 }).toContain("Chat with an agent");
    const key = /mr_org_\w+/.exec(first.output())![0];
    // The first key may do everything that one can try.
    const managed = await fetch(`${first.url}/manage/members`, { headers: { "x-api-key": key } });
    expect(managed.status).toBe(200);
    await expect.poll(() => first.output(), { timeout: 30_000 }).toMatch(/\/console\/login#[\w-]{43}\b/);
    const token = /\/console\/login#([\w-]{43})/.exec(first.output())![1];
    const signIn = () =>
      fetch(`${first.url}/manage/sessions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ token }),
      });
    expect([(await signIn()).status, (await signIn()).status]).toEqual([201, 401]);
    const validated = await fetch(`${first.url}/api/auth/validate`, { headers: { "x-api-key": key } });
    expect(validated.status).toBe(200);
    const run = await fetch(`${first.url}/api/runs`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify({ payload: { flowId: "flow_hello" } }),
    });
    expect(run.status).toBe(201);
    const pid = await postmasterPid();
    first.process.kill("SIGTERM");
    expect(await first.exited()).toBe(0);
    expect(isAlive(pid)).toBe(false);

    const second = start();
    await second.ready();
    expect(second.output()).not.toContain("mr_org_");
    const again = await fetch(`${second.url}/api/auth/validate`, { headers: { "x-api-key": key } });
    expect(again.status).toBe(200);
    second.process.kill("SIGINT");
    expect(await second.exited()).toBe(0);
  });

  it("refuses a second start on the same data directory and says who has it", async () => {
    const first = start();
    await first.ready();
    const second = start(["start"], { PORT: String(await freePort()) });
    expect(await second.exited()).toBe(1);
    expect(second.output()).toContain("is in use by");
    expect(second.output()).toContain(String(first.process.pid));
  });

  it("names the port that is taken", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as { port: number };
    const child = start(["start"], { PORT: String(port) });
    expect(await child.exited()).toBe(1);
    expect(child.output()).toContain(`Port ${port} on 127.0.0.1 is taken`);
    taken.close();
  });

  it("lets commands work beside it on the same built-in database", async () => {
    const service = start();
    await service.ready();
    const orgs = start(["orgs", "list", "--database", "--json"]);
    expect(await orgs.exited()).toBe(0);
    expect(orgs.output()).toContain("org_demo");
  });

  it("answers 503 while PostgreSQL is gone and recovers without a restart", async () => {
    const service = start(["start"], { MILLRACE_LOG_LEVEL: "silent" });
    await service.ready();
    const created = start(["keys", "create", "--database", "--org", "org_demo", "--json"]);
    await created.exited();
    const { key } = JSON.parse(created.output());
    const list = () => fetch(`${service.url}/api/flows`, { headers: { "x-api-key": key } });
    expect((await list()).status).toBe(200);

    const stopped = await postgresPids();
    for (const pid of stopped) process.kill(pid, "SIGSTOP");
    // Whatever comes of it, PostgreSQL goes on: a stopped one would hold up everything after it.
    const answer = await list().finally(() => stopped.forEach((pid) => process.kill(pid, "SIGCONT")));
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("1");
    await expect.poll(async () => (await list()).status, { timeout: 30_000 }).toBe(200);

    process.kill(await postmasterPid(), "SIGKILL");
    await expect.poll(async () => (await list()).status, { timeout: 30_000, interval: 5 }).toBe(503);
    await expect.poll(async () => (await list()).status, { timeout: 60_000 }).toBe(200);
    expect(service.process.exitCode).toBeNull();
  });
});

describe("the configuration", { timeout: 60_000 }, () => {
  it("is refused with every fault at once", async () => {
    const child = start(["start"], { PORT: "abc", MILLRACE_POOL_SIZE: "0", DATABASE_URL: "mysql://x" });
    expect(await child.exited()).toBe(1);
    for (const variable of ["PORT", "MILLRACE_POOL_SIZE", "DATABASE_URL"])
      expect(child.output()).toContain(variable);
  });

  it("needs a secret key with DATABASE_URL", async () => {
    const child = start(["start"], { DATABASE_URL: "postgres://localhost/x" });
    expect(await child.exited()).toBe(1);
    expect(child.output()).toContain("MILLRACE_SECRET_KEY is missing");
  });

  it("is printed with secrets masked", async () => {
    const child = start(["config", "--json"], {
      DATABASE_URL: "postgres://me:CANARY@db/x",
      MILLRACE_SECRET_KEY: "Q0FOQVJZ".repeat(5).slice(0, 43) + "=",
    });
    await child.exited();
    expect(child.output()).toContain("postgres://***@db/x");
    expect(child.output()).not.toContain("CANARY");
    expect(child.output()).not.toContain("Q0FOQVJZ");
  });
});
