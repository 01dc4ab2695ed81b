import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestAnswer } from "../support/service.ts";
import { addKey, addOrganization, addUser } from "../support/workspace.ts";
import { startWebhookService, type WebhookService } from "../webhooks/webhook-service.ts";

const LIMITS = { user: 1_500, own: 7_000, guesses: 40, webhook: 60, address: 600, none: 2_147_483_647 };

let service: WebhookService;
let ownKey: string;
let mixedKey: string;
let freeKey: string;
beforeAll(async () => {
  service = await startWebhookService({
    MILLRACE_REQUESTS_PER_MINUTE: String(LIMITS.user),
    MILLRACE_BAD_KEYS_PER_MINUTE: String(LIMITS.guesses),
    MILLRACE_WEBHOOK_REQUESTS_PER_10S: String(LIMITS.webhook),
    MILLRACE_WEBHOOK_REQUESTS_PER_IP_10S: String(LIMITS.address),
  });
  const db = service.database.pool;
  const limited = { org_own: LIMITS.own, org_low: 5, org_free: 0 };
  for (const [id, limit] of Object.entries(limited)) {
    await addOrganization(db, id);
    await db.query(`UPDATE organizations SET requests_per_minute = $2 WHERE id = $1`, [id, limit]);
  }
  await addOrganization(db, "org_plain");
  await addUser(db, "owner", { org_own: "owner", org_free: "owner" });
  await addUser(db, "mixed", { org_low: "owner", org_plain: "owner" });
  ownKey = (await addKey(db, { organizationId: "org_own", userId: "owner" })).key;
  freeKey = (await addKey(db, { organizationId: "org_free", userId: "owner" })).key;
  mixedKey = (await addKey(db, { scope: "user", userId: "mixed" })).key;
});
afterAll(() => service.stop());

function limitOf({ headers }: TestAnswer): number {
  expect(Number(headers.get("x-ratelimit-remaining"))).toBeLessThanOrEqual(
    Number(headers.get("x-ratelimit-limit")),
  );
  expect(headers.get("x-ratelimit-remaining")).toMatch(/^\d+$/);
  expect(headers.get("x-ratelimit-reset")).toMatch(/^\d{10}$/);
  return Number(headers.get("x-ratelimit-limit"));
}

describe("the headers of the request limit", () => {
  it.each<[number, string, string, object?, Record<string, string>?]>([
    [200, "GET", "/api/flows"],
    [200, "HEAD", "/api/flows"],
    [400, "GET", "/api/flows?x=1"],
    [400, "GET", "/api/runs/abc"],
    [404, "GET", "/api/runs/run_x"],
    [404, "GET", "/api/runs/run_x/stream"],
    [404, "GET", "/api/nothing"],
    [405, "PUT", "/api/runs"],
    [405, "DELETE", "/api/flows/flow_one"],
    [413, "POST", "/api/agents/agent_one/sessions", { x: "x".repeat(70_000) }],
    [415, "POST", "/api/runs", {}, { "content-type": "application/xml" }],
    [201, "POST", "/api/runs", { payload: { flowId: "flow_one" } }],
  ])("stand on a %i: %s %s", async (status, method, path, body, headers) => {
    const answer = await service.send(method, path, { key: service.keys.one, body, headers });
    expect([answer.status, limitOf(answer)]).toEqual([status, LIMITS.user]);
  });

  it("speak of the organization's own limit, and for several of the most generous, the default included", async () => {
    expect(limitOf(await service.get("/api/flows", ownKey))).toBe(LIMITS.own);
    expect(limitOf(await service.get("/api/nothing", ownKey))).toBe(LIMITS.own);
    expect(limitOf(await service.get("/api/flows", mixedKey))).toBe(LIMITS.user);
  });

  it("are there where no limit is, with a number that nobody reaches", async () => {
    expect(limitOf(await service.get("/api/flows", freeKey))).toBe(LIMITS.none);
  });

  it("count requests for addresses that do not exist", async () => {
    const left = async (path: string) =>
      Number((await service.get(path, service.keys.two)).headers.get("x-ratelimit-remaining"));
    const [before, after] = [await left("/api/nothing"), await left("/api/flows")];
    // A minute may end in between.
    expect(after < before || after === LIMITS.user - 1).toBe(true);
  });

  it("speak of the limit of wrong keys to those who show none or a wrong one", async () => {
    expect(limitOf(await service.get("/api/flows"))).toBe(LIMITS.guesses);
    expect(limitOf(await service.get("/api/nothing"))).toBe(LIMITS.guesses);
    expect(limitOf(await service.get("/api/flows/%ZZ"))).toBe(LIMITS.guesses);
    const wrong = `mr_org_${"A".repeat(38)}`;
    const refused = await service.get("/api/flows", wrong);
    const stray = await service.get("/api/nothing", wrong);
    expect([refused.status, limitOf(refused), stray.status, limitOf(stray)]).toEqual([
      401,
      LIMITS.guesses,
      404,
      LIMITS.guesses,
    ]);
    const left = [refused, stray].map(({ headers }) => Number(headers.get("x-ratelimit-remaining")));
    expect(left[1]! < left[0]! || left[1] === LIMITS.guesses - 1).toBe(true);
  });
});

describe("the headers of a webhook's limit", () => {
  it("stand on every answer, whatever the post is refused for", async () => {
    const path = await service.addWebhook("flow_hook");
    const passive = await service.addWebhook("flow_passive", { active: false });
    const disabled = await service.addWebhook("flow_disabled");
    await service.database.pool.query(
      `UPDATE flow_webhooks SET enabled = false WHERE flow_id = 'flow_disabled'`,
    );
    const draft = await service.addWebhook("flow_draft", { graph: { nodes: [], edges: [] } });
    const cases: [number, Promise<TestAnswer>][] = [
      [202, service.post(path, {})],
      [409, service.post(passive, {})],
      [403, service.post(disabled, {})],
      [400, service.post(draft, {})],
      [400, service.post(path, "{", { "content-type": "application/json" })],
      [413, service.post(path, { text: "x".repeat(1_100_000) })],
      [415, service.post(path, "<x/>", { "content-type": "application/xml" })],
      [405, service.get(path)],
      [405, service.send("PUT", path, { body: {} })],
    ];
    for (const [status, sent] of cases) {
      const answer = await sent;
      expect([answer.status, limitOf(answer)]).toEqual([status, LIMITS.webhook]);
    }
  });

  it("are those of wrong tokens for who has the wrong one", async () => {
    const answer = await service.post(`/app/webhooks/millrace/flow_hook/${"x".repeat(43)}`, {});
    expect([answer.status, limitOf(answer)]).toEqual([401, LIMITS.guesses]);
  });
});
