import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseRetryAfterMs, RETRY_DELAYS_MS, retryDelayMs } from "../../src/domain/events/retry-schedule.ts";
import { rotateSecret } from "../../src/operations/events/manage-endpoint.ts";
import { listEndpoints } from "../../src/storage/events/list-endpoints.ts";
import { IdMaker } from "../../src/domain/ids.ts";
import { SecretBox } from "../../src/storage/secret-box.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { testSecretKey } from "../support/service.ts";
import { addOrganization } from "../support/workspace.ts";
import { addEndpoint, addRunEvents, startDelivery, until } from "./delivery.ts";
import { startRecorder } from "./recorder.ts";

describe("the schedule", () => {
  it("has ten attempts: 0, 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h, each within ten percent", () => {
    const hours = 3_600_000;
    const expected = [
      5_000,
      300_000,
      1_800_000,
      2 * hours,
      5 * hours,
      10 * hours,
      14 * hours,
      20 * hours,
      24 * hours,
    ];
    expect(RETRY_DELAYS_MS).toEqual(expected);
    for (const [at, delayMs] of expected.entries()) {
      const options = { delaysMs: RETRY_DELAYS_MS };
      expect(retryDelayMs(at + 1, { ...options, random: 0 })).toBe(Math.round(delayMs * 0.9));
      expect(retryDelayMs(at + 1, { ...options, random: 0.5 })).toBe(delayMs);
      expect(retryDelayMs(at + 1, { ...options, random: 0.999_999_9 })).toBeLessThanOrEqual(delayMs * 1.1);
    }
    expect(retryDelayMs(10, { random: 0.5, delaysMs: RETRY_DELAYS_MS })).toBeUndefined();
  });

  it("waits longer where the receiver asks for it, a day at most", () => {
    const after = (retryAfterMs: number) =>
      retryDelayMs(1, { random: 0.5, retryAfterMs, delaysMs: RETRY_DELAYS_MS });
    expect(after(60_000)).toBe(60_000);
    expect(after(1_000)).toBe(5_000);
    expect(after(1e12)).toBe(86_400_000);
  });

  it("reads Retry-After as seconds or as a date", () => {
    const nowMs = Date.parse("2026-01-01T00:00:00Z");
    expect(parseRetryAfterMs("120", nowMs)).toBe(120_000);
    expect(parseRetryAfterMs("Thu, 01 Jan 2026 00:01:00 GMT", nowMs)).toBe(60_000);
    expect(parseRetryAfterMs("Wed, 31 Dec 2025 00:00:00 GMT", nowMs)).toBe(0);
    expect(parseRetryAfterMs("soon", nowMs)).toBeUndefined();
    expect(parseRetryAfterMs(undefined, nowMs)).toBeUndefined();
  });
});

describe("a delivery", () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
    await addOrganization(database.pool, "org_one");
  });
  afterEach(() => database.drop());

  const endpoint = async (id: string) => (await listEndpoints(database.pool, { id }))[0]!;

  it("is given up after its last attempt, and not before", async () => {
    const recorder = await startRecorder((_, response) => response.writeHead(500).end());
    await addEndpoint(database.pool, { id: "broken", url: recorder.url });
    const delivery = startDelivery(database.pool, { retryDelaysMs: [30, 30, 30, 30, 30, 30, 30, 30, 30] });
    await addRunEvents(database.pool, ["run.created"]);
    const row = async () => (await database.pool.query(`SELECT * FROM event_deliveries`)).rows[0];
    await until(async () => (await row())?.state === "failed");
    expect(await row()).toMatchObject({
      attempts: 10,
      last_status: 500,
      last_failure: "HTTP 500",
      event: null,
    });
    expect(recorder.arrivals.length).toBe(10);
    expect(new Set(recorder.arrivals.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    await delivery.stop();
    await recorder.close();
  });

  it(
    "comes again five seconds later in the real schedule, and not before Retry-After says",
    { timeout: 90_000 },
    async () => {
      let asked = 0;
      const recorder = await startRecorder(({ event }, response) => {
        if (event.type === "run.created" && asked++ === 0)
          response.writeHead(503, { "retry-after": "8" }).end();
        else if (
          event.type === "run.failed" &&
          recorder.types().filter((type) => type === "run.failed").length === 1
        )
          response.writeHead(500).end();
        else response.writeHead(204).end();
      });
      await addEndpoint(database.pool, { id: "busy", url: recorder.url });
      const delivery = startDelivery(database.pool);
      await addRunEvents(database.pool, ["run.created"]);
      await addRunEvents(database.pool, ["run.failed"]);
      const times = (type: string) =>
        recorder.arrivals.filter(({ event }) => event.type === type).map(({ atMs }) => atMs);
      await until(() => times("run.created").length === 2 && times("run.failed").length === 2);
      const waits = ["run.created", "run.failed"].map((type) => times(type)[1]! - times(type)[0]!);
      expect(waits[0]).toBeGreaterThan(7_900);
      expect(waits[1]).toBeGreaterThan(4_400);
      await delivery.stop();
      await recorder.close();
    },
  );

  it("that is answered 410 disables its endpoint at once, and the others hear of it", async () => {
    const gone = await startRecorder((_, response) => response.writeHead(410).end());
    const other = await startRecorder();
    await addEndpoint(database.pool, { id: "gone", url: gone.url });
    await addEndpoint(database.pool, { id: "other", url: other.url, events: ["endpoint.*"] });
    const delivery = startDelivery(database.pool);
    await addRunEvents(database.pool, ["run.created", "run.started"]);
    await until(() => other.arrivals.length === 1);
    expect(other.arrivals[0]!.event).toMatchObject({
      type: "endpoint.disabled",
      data: { endpoint: { id: "gone", reason: "gone", disabledAt: expect.any(String) } },
    });
    expect(await endpoint("gone")).toMatchObject({ enabled: false, disabledReason: "gone" });
    expect((await endpoint("other")).enabled).toBe(true);
    expect(gone.arrivals.length).toBe(1);
    await delivery.stop();
    await Promise.all([gone.close(), other.close()]);
  });

  it("that has failed for five days disables its endpoint; one success in between and it stays", async () => {
    const broken = await startRecorder((_, response) => response.writeHead(500).end());
    const flaky = await startRecorder(({ event }, response) =>
      response.writeHead(event.type === "run.completed" ? 204 : 500).end(),
    );
    const other = await startRecorder();
    await addEndpoint(database.pool, { id: "broken", url: broken.url });
    await addEndpoint(database.pool, { id: "flaky", url: flaky.url });
    await addEndpoint(database.pool, { id: "other", url: other.url, events: ["endpoint.disabled"] });
    const delivery = startDelivery(database.pool, { retryDelaysMs: [20, 20, 20, 20, 20, 20, 20, 20, 20] });
    await addRunEvents(database.pool, ["run.created", "run.completed"]);
    const failing = async (id: string) => (await endpoint(id)).failingSince;
    await until(async () => (await failing("broken")) !== null && (await failing("flaky")) !== null);
    expect((await endpoint("broken")).enabled).toBe(true);
    // Five days ago both began to fail; the one that succeeds now begins anew.
    await database.pool.query(`UPDATE event_feeds SET failing_since = failing_since - interval '5 days'`);
    await addRunEvents(database.pool, ["run.completed"]);
    await until(async () => !(await endpoint("broken")).enabled);
    expect(await endpoint("broken")).toMatchObject({ disabledReason: "failing" });
    await until(() => other.arrivals.length > 0);
    expect(other.arrivals[0]!.event.data).toMatchObject({ endpoint: { reason: "failing" } });
    await delivery.stop();
    await Promise.all([broken.close(), flaky.close(), other.close()]);
  });

  it("is signed by both secrets while one is rotated, and by the new one alone afterwards", async () => {
    const recorder = await startRecorder();
    const old = await addEndpoint(database.pool, { id: "rotated", url: recorder.url });
    const ids = new IdMaker(() => Date.now());
    const services = { pool: database.pool, secrets: new SecretBox(testSecretKey), ids };
    const delivery = startDelivery(database.pool);
    const rotate = async (overlapMs: number) =>
      rotateSecret(services, { via: "cli" }, await endpoint("rotated"), { overlapMs, force: false });
    const rotated = (await rotate(86_400_000))!;
    expect(rotated.previousUntil!.getTime()).toBeGreaterThan(Date.now() + 86_000_000);
    await addRunEvents(database.pool, ["run.created"]);
    await until(() => recorder.arrivals.length === 1);
    const accepts = (secret: string, at: number) => {
      const { body, headers } = recorder.arrivals[at]!;
      try {
        new Webhook(secret).verify(body, headers as Record<string, string>);
        return true;
      } catch {
        return false;
      }
    };
    expect([accepts(old, 0), accepts(rotated.secret, 0)]).toEqual([true, true]);
    // The one before it is still valid.
    expect(await rotate(0)).toBeUndefined();
    await database.pool.query(`UPDATE event_endpoints SET previous_secret_until = now()`);
    await addRunEvents(database.pool, ["run.created"]);
    await until(() => recorder.arrivals.length === 2);
    expect([accepts(old, 1), accepts(rotated.secret, 1)]).toEqual([false, true]);
    await delivery.stop();
    await recorder.close();
  });

  it("goes only to those who asked for the type, by name, by family or for everything", async () => {
    const patterns = [["run.failed"], ["run.*"], ["*"], ["queue.*"]];
    const recorders = await Promise.all(patterns.map(() => startRecorder()));
    for (const [at, events] of patterns.entries())
      await addEndpoint(database.pool, { id: `by_${at}`, url: recorders[at]!.url, events });
    const delivery = startDelivery(database.pool);
    await addRunEvents(database.pool, ["run.created", "queue.item_created", "run.failed"]);
    await until(() => recorders[2]!.arrivals.length === 3);
    await until(() => recorders[1]!.arrivals.length === 2 && recorders[3]!.arrivals.length === 1);
    expect(recorders.map((recorder) => recorder.types())).toEqual([
      ["run.failed"],
      ["run.created", "run.failed"],
      ["run.created", "queue.item_created", "run.failed"],
      ["queue.item_created"],
    ]);
    await delivery.stop();
    await Promise.all(recorders.map((recorder) => recorder.close()));
  });

  it("has at most four requests under way to one endpoint", async () => {
    let open = 0;
    let most = 0;
    const recorder = await startRecorder((_, response) => {
      most = Math.max(most, ++open);
      setTimeout(() => {
        open--;
        response.writeHead(204).end();
      }, 10);
    });
    await addEndpoint(database.pool, { id: "narrow", url: recorder.url });
    const delivery = startDelivery(database.pool);
    for (let at = 0; at < 40; at++) await addRunEvents(database.pool, ["run.created"]);
    await until(() => recorder.arrivals.length === 40);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(4);
    await delivery.stop();
    await recorder.close();
  });
});
