import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyEvent } from "../../../../examples/receiver/verify.ts";
import { SecretBox } from "../../src/storage/secret-box.ts";
import { createTerminal, type Terminal } from "../cli/terminal.ts";
import { testSecretKey } from "../support/service.ts";
import { addOrganization } from "../support/workspace.ts";
import { addEndpoint, addRunEvents, startDelivery, until } from "./delivery.ts";
import { type Recorder, startRecorder } from "./recorder.ts";

const EGRESS = { MILLRACE_EGRESS_ALLOW: "127.0.0.0/8" };

let terminal: Terminal;
let recorder: Recorder;
let delivery: ReturnType<typeof startDelivery>;
let status = 204;
beforeAll(async () => {
  terminal = await createTerminal();
  const { pool } = terminal.database;
  await addOrganization(pool, "org_one");
  await addOrganization(pool, "org_two");
  recorder = await startRecorder((_, response) => response.writeHead(status).end("so there"));
  await addEndpoint(pool, { id: "hooks", url: recorder.url });
  delivery = startDelivery(pool, { retryDelaysMs: [] });
});
afterAll(async () => {
  await delivery.stop();
  await recorder.close();
  await terminal.close();
});

/** The commands over the database of the terminal, with the key that sealed the endpoints' secrets. */
function run(line: string, env: Record<string, string> = {}) {
  const secrets = new SecretBox(testSecretKey);
  const opened = { ...terminal.database, secrets, embedded: true, announce: () => {}, close: async () => {} };
  return terminal.run(line, env, { withDatabase: (_, work) => work(opened) });
}

async function json(line: string, env?: Record<string, string>) {
  const { code, stdout, stderr } = await run(`${line} --json`, env);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

describe("millrace events endpoints", () => {
  it("show prints the secret that signs, and list how the endpoint does", async () => {
    const { eventIds } = await addRunEvents(terminal.database.pool, ["run.created"]);
    await until(() => recorder.arrivals.some(({ event }) => event.id === eventIds[0]));
    const shown = await json("events endpoints show hooks");
    const { headers, body } = recorder.arrivals[0]!;
    expect(verifyEvent(shown.secret, headers as Record<string, string>, body).type).toBe("run.created");
    await until(async () => (await json("events endpoints list --org org_one")).data[0].delivered === 1);
    expect((await json("events endpoints list --org org_one")).data).toMatchObject([
      { id: "hooks", enabled: true, delivered: 1, retrying: 0, lastFailure: null, failingSince: null },
    ]);
    expect((await run("events endpoints list")).stdout).toContain("healthy");
    expect((await run("events endpoints show hooks")).stdout).toContain(shown.secret);
  });

  it("test shows the answer at once and counts for nothing", async () => {
    const before = recorder.arrivals.length;
    const result = await json("events endpoints test hooks", EGRESS);
    expect(result).toMatchObject({ delivered: true, status: 204 });
    expect(recorder.arrivals[before]!.event).toMatchObject({ id: result.eventId, type: "endpoint.test" });
    status = 503;
    const failed = await run("events endpoints test hooks", EGRESS);
    status = 204;
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain("HTTP 503");
    expect(failed.stderr).toContain("so there");
    expect((await run("events endpoints test hooks")).stderr).toContain("MILLRACE_EGRESS_ALLOW");
    expect((await json("events endpoints list")).data[0].failingSince).toBeNull();
  });

  it("rotate-secret makes a new one, and refuses a second rotation unless forced", async () => {
    const { secret } = await json("events endpoints show hooks");
    const rotated = await json("events endpoints rotate-secret hooks --overlap 1h");
    expect(rotated.secret).not.toBe(secret);
    expect((await run("events endpoints rotate-secret hooks")).stderr).toContain("--force");
    const cut = await json("events endpoints rotate-secret hooks --overlap 0 --force");
    expect(cut.previousUntil).toBeNull();
  });

  it("disable stops it, and enable goes on with what happens then, or with what it missed", async () => {
    const { pool } = terminal.database;
    await json("events endpoints disable hooks");
    expect((await run("events endpoints list")).stdout).toContain("disabled (operator)");
    const { eventIds: missed } = await addRunEvents(pool, ["run.created"]);
    await until(
      async () => (await pool.query(`SELECT FROM event_batches WHERE position IS NULL`)).rows.length === 0,
    );
    await json("events endpoints enable hooks");
    const { eventIds: later } = await addRunEvents(pool, ["run.created"]);
    const arrived = () => recorder.arrivals.map(({ event }) => event.id);
    await until(() => arrived().includes(later[0]!));
    expect(arrived()).not.toContain(missed[0]);
    await json("events endpoints disable hooks");
    expect((await json("events endpoints enable hooks --since 1h")).replayed).toBeGreaterThan(0);
    await until(() => arrived().includes(missed[0]!));
  });

  it("an unknown endpoint, and one that two organizations have, are told apart", async () => {
    expect((await run("events endpoints show nobody")).stderr).toContain('no event endpoint "nobody"');
    await addEndpoint(terminal.database.pool, { id: "hooks", url: recorder.url, organizationId: "org_two" });
    expect((await run("events endpoints show hooks")).stderr).toContain("--org");
    expect((await json("events endpoints show hooks --org org_two")).organizationId).toBe("org_two");
    await terminal.database.pool.query(`DELETE FROM event_endpoints WHERE organization_id = 'org_two'`);
  });
});

describe("millrace events", () => {
  it("list shows what happened, newest first, and show what became of it", async () => {
    const { eventIds, runId } = await addRunEvents(terminal.database.pool, [
      "run.created",
      "queue.item_created",
    ]);
    const { data: listed } = await json("events list --org org_one --limit 2");
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(eventIds.toReversed());
    const [first] = (await json("events list --type queue.* --limit 1")).data;
    expect(first).toMatchObject({
      id: eventIds[1],
      type: "queue.item_created",
      runId,
      organizationId: "org_one",
    });
    const shown = () => json(`events show ${eventIds[0]}`);
    await until(async () => (await shown()).deliveries[0]?.state === "delivered");
    expect(await shown()).toMatchObject({
      event: { id: eventIds[0], type: "run.created", data: { run: { id: runId } } },
      deliveries: [{ endpointId: "hooks", state: "delivered", attempts: 1, lastStatus: 204 }],
    });
    expect((await run(`events show evt_${"0".repeat(24)}`)).stderr).toContain("There is no event");
  });

  it("replay sends one event, or the failed ones of a time, again under the same id", async () => {
    const arrivals = (id: string) => recorder.arrivals.filter(({ event }) => event.id === id).length;
    const { eventIds } = await addRunEvents(terminal.database.pool, ["run.created"]);
    const [id] = eventIds as [string];
    await until(async () => (await json(`events show ${id}`)).deliveries.length === 1);
    expect(await json(`events replay ${id}`)).toEqual({ replayed: 1 });
    await until(() => arrivals(id) === 2);

    status = 500;
    const { eventIds: failing } = await addRunEvents(terminal.database.pool, ["run.failed"]);
    await until(async () => (await json(`events show ${failing[0]}`)).deliveries[0]?.state === "failed");
    status = 204;
    expect(await json("events replay --org org_one --since 1h --failed")).toEqual({ replayed: 1 });
    await until(() => arrivals(failing[0]!) === 2);
    expect((await json("events replay --org org_one --since 1h --endpoint hooks")).replayed).toBeGreaterThan(
      3,
    );
    expect((await run("events replay")).code).toBe(2);
  });
});
