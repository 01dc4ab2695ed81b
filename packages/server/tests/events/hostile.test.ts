import { createServer, type ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createAddressGuard } from "../../src/upstream/address-guard.ts";
import { createEventSender } from "../../src/upstream/event-sender.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { addOrganization } from "../support/workspace.ts";
import { addEndpoint, addRunEvents, close, listen, startDelivery, until } from "./delivery.ts";
import { startRecorder } from "./recorder.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  await addOrganization(database.pool, "org_one");
});
afterEach(() => database.drop());

const hostile: Record<string, (response: ServerResponse) => void> = {
  hangs: () => {},
  "sends a gigabyte": (response) => {
    const chunk = Buffer.alloc(64 * 1024);
    let left = 16_384;
    const more = () => {
      while (left-- > 0) if (!response.write(chunk)) return void response.once("drain", more);
      response.end();
    };
    response.writeHead(200);
    more();
  },
  "drips its answer": (response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write("."), 50);
    response.on("close", () => clearInterval(drip));
  },
  "drips its headers": (response) => {
    const { socket } = response;
    socket?.write("HTTP/1.1 200 OK\r\n");
    const drip = setInterval(() => socket?.write("X-More: 1\r\n"), 50);
    socket?.on("close", () => clearInterval(drip));
  },
};

it("receivers that hang, flood or drip delay nobody else", { timeout: 300_000 }, async () => {
  const { pool } = database;
  const good = await startRecorder();
  await addEndpoint(pool, { id: "good", url: good.url });
  // Longer than the test: whoever waited for one of those that hang would wait for ever.
  const delivery = startDelivery(pool, { totalMs: 600_000 });
  await addRunEvents(pool, ["run.created"]);
  await until(() => good.arrivals.length === 1);

  let held = 0;
  const servers = Object.values(hostile).flatMap((answer) =>
    // More of them together than one process has slots.
    Array.from({ length: 20 }, () =>
      createServer((_, response) => {
        held += 1;
        response.once("close", () => (held -= 1));
        answer(response);
      }),
    ),
  );
  for (const [at, server] of servers.entries()) {
    await addEndpoint(pool, { id: `hostile_${at}`, url: await listen(server) });
  }
  await addRunEvents(pool, ["run.created"]);
  await until(() => good.arrivals.length === 2 && held >= 20);
  for (let count = 3; count <= 12; count++) {
    await addRunEvents(pool, ["run.created"]);
    await until(() => good.arrivals.length >= count);
  }
  expect(held).toBeGreaterThanOrEqual(20);

  // A receiver of another organization that has shown nothing yet finds a slot too.
  await addOrganization(pool, "org_two");
  const stranger = await startRecorder();
  await addEndpoint(pool, { id: "stranger", url: stranger.url, organizationId: "org_two" });
  await addRunEvents(pool, ["run.created"], "org_two");
  await until(() => stranger.arrivals.length === 1);
  expect(held).toBeGreaterThanOrEqual(20);

  for (const server of servers) await close(server);
  await delivery.stop();
  await good.close();
  await stranger.close();
});

it("one organization's feeds never take all places of a process", { timeout: 300_000 }, async () => {
  const { pool } = database;
  await addOrganization(pool, "org_two");
  const held = createServer(() => {});
  const url = await listen(held);
  for (let at = 0; at < 300; at++) await addEndpoint(pool, { id: `hangs_${at}`, url });
  const delivery = startDelivery(pool, { totalMs: 600_000 });
  await addRunEvents(pool, ["run.created"]);
  let most = 0;
  const heldFeeds = async () => {
    const { rows } = await pool.query(
      `SELECT count(*)::int AS count FROM event_feeds WHERE held_by IS NOT NULL`,
    );
    most = Math.max(most, rows[0].count);
    return rows[0].count as number;
  };
  await until(async () => (await heldFeeds()) === 192);
  const stranger = await startRecorder();
  await addEndpoint(pool, { id: "stranger", url: stranger.url, organizationId: "org_two" });
  await addRunEvents(pool, ["run.created"], "org_two");
  await until(async () => (await heldFeeds()) > 0 && stranger.arrivals.length === 1);
  // Nobody had to let go for the stranger, who has a place of its own; a starved machine may break one or another off.
  expect(most).toBeLessThanOrEqual(193);
  expect(await heldFeeds()).toBeGreaterThan(150);
  await close(held);
  await delivery.stop();
  await stranger.close();
});

it("a redirect is a failure and is not followed", async () => {
  const { pool } = database;
  const secretPlace = await startRecorder();
  const redirecting = createServer((_, response) =>
    response.writeHead(307, { location: secretPlace.url }).end(),
  );
  await addEndpoint(pool, { id: "redirecting", url: await listen(redirecting) });
  const delivery = startDelivery(pool);
  await addRunEvents(pool, ["run.created"]);
  const states = async () => (await pool.query(`SELECT state, last_failure FROM event_deliveries`)).rows;
  await until(async () => (await states()).length > 0);
  expect(await states()).toEqual([{ state: "retrying", last_failure: "HTTP 307" }]);
  expect(secretPlace.arrivals).toEqual([]);
  await delivery.stop();
  await close(redirecting);
  await secretPlace.close();
});

it("a long answer counts by its status and is read to 64 KB", async () => {
  let sentBytes = 0;
  const flooding = createServer((_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => {
      sentBytes += 65_536;
      response.write(Buffer.alloc(65_536, "x"));
    }, 1);
    response.on("close", () => clearInterval(timer));
  });
  const url = await listen(flooding);
  const sender = createEventSender({ guard: createAddressGuard({ allow: ["127.0.0.0/8"] }) });
  const sent = await sender.send({ organizationId: "org_one", url, headers: {}, body: "{}" });
  expect(sent).toMatchObject({ delivered: true, status: 200 });
  expect(sentBytes).toBeLessThan(20 * 1024 * 1024);
  await sender.close();
  await close(flooding);
});

it.each([
  ["a private address", { allow: [], url: "https://127.0.0.1:1/" }, "AddressRefused"],
  ["a name of this machine", { allow: [], url: "https://localhost:1/" }, "AddressRefused"],
  ["http to an address that is merely public", { allow: [], url: "http://public.example/" }, "UrlRefused"],
  ["an address that hides a private one", { allow: [], url: "https://2130706433/" }, "AddressRefused"],
  ["a user in the address", { allow: ["127.0.0.0/8"], url: "http://user@127.0.0.1:1/" }, "SendFailed"],
])("%s is never called", async (_, { allow, url }, failure) => {
  const resolve = async () => ["203.0.114.7"];
  const sender = createEventSender({ guard: createAddressGuard({ allow, resolve }) });
  const sent = await sender.send({ organizationId: "org_one", url, headers: {}, body: "{}" });
  expect(sent.delivered).toBe(false);
  expect(sent.failure).toContain(failure);
  await sender.close();
});
