import pino from "pino";
import { expect, it } from "vitest";
import { toConfig } from "../../src/config/load-config.ts";
import { makeWebhookToken } from "../../src/operations/webhooks/make-webhook-token.ts";
import { startService } from "../../src/service.ts";
import { SecretBox } from "../../src/storage/secret-box.ts";
import { createTestDatabase } from "../support/database.ts";
import { testSecretKey } from "../support/service.ts";
import { addFlow, addTwoOrganizations } from "../support/workspace.ts";

it("no log line holds a token, whatever goes wrong", async () => {
  const database = await createTestDatabase();
  await addTwoOrganizations(database.pool);
  const secrets = new SecretBox(testSecretKey);
  await addFlow(database.pool, "org_one", "flow_logged");
  const token = await makeWebhookToken({ db: database.pool, secrets }, "org_one", "flow_logged");
  const lines: string[] = [];
  const service = await startService({
    config: toConfig({
      PORT: "0",
      MILLRACE_WEBHOOK_REQUESTS_PER_10S: "0",
      MILLRACE_WEBHOOK_REQUESTS_PER_IP_10S: "0",
    }),
    role: "all",
    database: { ...database, secrets, embedded: false, announce: () => {}, close: async () => {} },
    // Everything there is, unfiltered.
    logger: pino({ level: "trace" }, { write: (line: string) => void lines.push(line) }),
  });
  const post = (path: string, init: RequestInit = {}) =>
    fetch(`${service.address}/app/webhooks/millrace/${path}`, { method: "POST", ...init });
  expect((await post(`flow_logged/${token}`)).status).toBe(202);
  expect((await post(`flow_logged/${token}x`)).status).toBe(401);
  expect((await post(`flow_logged/${token}/more`)).status).toBe(404);
  expect((await post(`flow_logged/${token}`, { method: "PUT" })).status).toBe(405);
  expect(
    (await post(`flow_logged/${token}`, { body: "<a/>", headers: { "content-type": "application/xml" } }))
      .status,
  ).toBe(415);
  // A fault of the service itself is logged with its route.
  await database.pool.query(`ALTER TABLE idempotency_keys RENAME COLUMN run_id TO was_run_id`);
  expect((await post(`flow_logged/${token}`, { headers: { "x-idempotency-key": "k" } })).status).toBe(500);
  await service.stop();
  const text = lines.join("\n");
  expect(text).toContain("request failed");
  expect(text).toContain("/app/webhooks/millrace/:flowId/:token");
  expect(text).not.toContain(token);
  await database.drop();
});
