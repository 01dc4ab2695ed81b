import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientNetwork } from "../../src/domain/client-network.ts";
import { makeWebhookToken } from "../../src/operations/webhooks/make-webhook-token.ts";
import { startWebhookService, type WebhookService } from "./webhook-service.ts";

describe("a token", () => {
  let service: WebhookService;
  beforeAll(async () => {
    service = await startWebhookService();
  });
  afterAll(() => service.stop());

  it("that is wrong, of an unknown flow, of a deleted webhook or of another flow is answered with the same bytes", async () => {
    const path = await service.addWebhook("flow_one_way");
    const other = await service.addWebhook("flow_other");
    const deleted = await service.addWebhook("flow_deleted");
    await service.database.pool.query(`DELETE FROM flow_webhooks WHERE flow_id = 'flow_deleted'`);
    const gone = await service.addWebhook("flow_gone");
    await service.database.pool.query(`UPDATE flows SET deleted_at = now() WHERE id = 'flow_gone'`);
    const wrong = [
      `${path.slice(0, -1)}${path.endsWith("0") ? "1" : "0"}`,
      path.replace("flow_one_way", "flow_unknown"),
      path.replace("flow_one_way", "not%20an%20id"),
      path.replace("flow_one_way", "flow_one"),
      deleted,
      gone,
      `/app/webhooks/millrace/flow_one_way/${other.split("/").at(-1)}`,
      "/app/webhooks/millrace/flow_one_way/x",
    ];
    const runs = await service.countRuns();
    const answers = await Promise.all(wrong.map((each) => fetch(service.address + each, { method: "POST" })));
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect(new Set(bodies).size).toBe(1);
    const names = answers.map(({ headers }) => [...headers.keys()].sort().join());
    expect(new Set(names).size).toBe(1);
    expect(await service.countRuns()).toBe(runs);
  });

  it("is kept only as a hash and sealed", async () => {
    const path = await service.addWebhook("flow_kept");
    const token = path.split("/").at(-1)!;
    const { rows } = await service.database.pool.query(
      `SELECT * FROM flow_webhooks WHERE flow_id = 'flow_kept'`,
    );
    expect(rows[0].token_hash).toEqual(createHash("sha256").update(token).digest());
    expect(JSON.stringify(rows[0])).not.toContain(token);
  });

  it("that was replaced is refused everywhere within a few seconds", async () => {
    const path = await service.addWebhook("flow_regenerated");
    expect((await service.post(path, {})).status).toBe(202);
    const db = service.database.pool;
    const token = await makeWebhookToken({ db, secrets: service.secrets }, "org_one", "flow_regenerated");
    await sleep(2_100);
    expect((await service.post(path, {})).status).toBe(401);
    expect((await service.post(`/app/webhooks/millrace/flow_regenerated/${token}`, {})).status).toBe(202);
  });

  it("is no part of the metrics", async () => {
    const path = await service.addWebhook("flow_metrics");
    await service.post(path, {});
    const { body } = await service.get("/metrics");
    expect(body).toContain('route="receiveWebhook"');
    expect(body).not.toContain(path.split("/").at(-1));
  });
});

describe("limits", () => {
  it("slow down an address after 20 wrong tokens in a minute", async () => {
    const service = await startWebhookService({ MILLRACE_BAD_KEYS_PER_MINUTE: "20" });
    try {
      const path = await service.addWebhook("flow_guessed");
      // All in one window, wherever the minute ends.
      const untilNextMinuteMs = 60_000 - (Date.now() % 60_000);
      if (untilNextMinuteMs < 5_000) await sleep(untilNextMinuteMs + 100);
      const answers = [];
      for (let at = 0; at < 200; at++)
        answers.push(await service.post(`${path.slice(0, -43)}${String(at).padStart(43, "0")}`, {}));
      expect(answers.slice(0, 20).every(({ status }) => status === 401)).toBe(true);
      expect(answers.slice(20).every(({ status }) => status === 429)).toBe(true);
      const refused = answers.at(-1)!;
      expect(refused.body).toEqual({ error: "Too many requests" });
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await service.countRuns()).toBe(0);
    } finally {
      await service.stop();
    }
  });

  it("count per organization and address, and are told in the headers", async () => {
    const service = await startWebhookService({ MILLRACE_WEBHOOK_REQUESTS_PER_10S: "3" });
    try {
      const one = await service.addWebhook("flow_a");
      const same = await service.addWebhook("flow_b");
      const other = await service.addWebhook("flow_c", { organizationId: "org_two" });
      const untilNextWindowMs = 10_000 - (Date.now() % 10_000);
      if (untilNextWindowMs < 2_000) await sleep(untilNextWindowMs + 100);
      const answers = [];
      for (const path of [one, same, one, one]) answers.push(await service.post(path, {}));
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 429]);
      expect(answers.map(({ headers }) => headers.get("x-ratelimit-remaining"))).toEqual([
        "2",
        "1",
        "0",
        "0",
      ]);
      expect((await service.post(other, {})).status).toBe(202);
      // A header nobody vouches for does not make a new caller.
      expect((await service.post(one, {}, { "x-forwarded-for": "10.0.0.9" })).status).toBe(429);
    } finally {
      await service.stop();
    }
  });

  it("believe X-Forwarded-For of configured proxies alone", async () => {
    const service = await startWebhookService({
      MILLRACE_WEBHOOK_REQUESTS_PER_IP_10S: "1",
      MILLRACE_TRUST_PROXY: "127.0.0.0/8",
    });
    try {
      const path = await service.addWebhook("flow_proxied");
      const statuses = [];
      for (const at of [1, 2, 3]) {
        statuses.push(
          (await service.post(path, {}, { "x-forwarded-for": `192.0.2.9, 198.51.100.${at}` })).status,
        );
      }
      expect(statuses).toEqual([202, 202, 202]);
      const repeated = [1, 2].map(() => service.post(path, {}, { "x-forwarded-for": "198.51.100.200" }));
      expect((await Promise.all(repeated)).map(({ status }) => status)).toContain(429);
    } finally {
      await service.stop();
    }
  });

  it("take the /64 of an IPv6 address for one caller", () => {
    expect(clientNetwork("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
    expect(clientNetwork("2001:db8:1:2::1")).toBe("2001:db8:1:2::/64");
    expect(clientNetwork("::ffff:192.0.2.1")).toBe("192.0.2.1");
    expect(clientNetwork("192.0.2.1")).toBe("192.0.2.1");
  });
});
