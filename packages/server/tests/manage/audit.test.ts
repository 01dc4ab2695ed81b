import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Actor } from "../../src/domain/actor.ts";
import { IdMaker } from "../../src/domain/ids.ts";
import { retention } from "../../src/engine/duties/retention.ts";
import { recordAudit } from "../../src/operations/audit/record-audit.ts";
import { createKey } from "../../src/operations/keys/create-key.ts";
import { revokeKey } from "../../src/operations/keys/revoke-key.ts";
import { rotateKey } from "../../src/operations/keys/rotate-key.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addFlow, addTwoOrganizations } from "../support/workspace.ts";

const ids = new IdMaker(() => Date.now());
const actor: Actor = { via: "cli", viaId: "operator" };

let service: TestService;
let keys: Awaited<ReturnType<typeof addTwoOrganizations>>;
beforeAll(async () => {
  service = await startTestService();
  keys = await addTwoOrganizations(service.database.pool);
});
afterAll(() => service.stop());

const list = async (query: string, key = keys.one) =>
  (await service.get(`/manage/audit${query}`, key)).body.data;

describe("the audit log", () => {
  it("says who changed what, through which door, in the transaction of the change", async () => {
    const context = { pool: service.database.pool, ids };
    const request = { scope: "org", organizationId: "org_one", name: "ci", role: "admin" } as const;
    const created = await createKey(context, actor, request);
    const rotated = await rotateKey(context, actor, { keyId: created.id, overlapMs: 0 });
    await revokeKey(context, { userId: "ada", via: "key", viaId: "key_x", address: "127.0.0.1" }, rotated.id);
    const { data } = await list("?filter[action]=key");
    expect(data.map(({ action, target }: { action: string; target: string }) => [action, target])).toEqual([
      ["key.revoke", rotated.id],
      ["key.rotate", created.id],
      ["key.create", created.id],
    ]);
    expect(data[2]).toMatchObject({
      organizationId: "org_one",
      by: { via: "cli", viaId: "operator" },
      after: { name: "ci", role: "admin", scope: "org", userId: "ada" },
    });
    expect(data[0].by).toEqual({ userId: "ada", via: "key", viaId: "key_x", address: "127.0.0.1" });
    expect(JSON.stringify(data)).not.toContain(created.key);
    expect(rotated.role).toBe("admin");
  });

  it("has the acts of people on runs: who canceled, who answered, by key and by link", async () => {
    const { pool } = service.database;
    const node = (id: string, type: string, inputs: object = {}) => ({ id, type, data: { inputs } });
    const graph = {
      nodes: [node("start", "start"), node("ask", "approval", { message: "May I?" })],
      edges: [{ id: "e1", source: "start", target: "ask" }],
    };
    await addFlow(pool, "org_one", "flow_ask", { graph });
    const trigger = async () => {
      const body = { payload: { flowId: "flow_ask" } };
      return (await service.send("POST", "/api/runs", { key: keys.one, body })).body.data.id as string;
    };
    const paused = async (id: string) => {
      await expect
        .poll(async () => (await service.get(`/api/runs/${id}`, keys.one)).body.data.status, {
          timeout: 20_000,
        })
        .toBe("PAUSED");
      return (await service.get(`/api/runs/${id}`, keys.one)).body.data.pause.resumeUrl as string;
    };
    const [answered, linked, canceled] = [await trigger(), await trigger(), await trigger()];
    await paused(answered);
    await service.send("POST", `/api/runs/${answered}/resume`, {
      key: keys.one,
      body: { decision: "approved" },
    });
    const link = await paused(linked);
    await fetch(link, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ decision: "rejected" }),
    });
    await paused(canceled);
    await service.send("POST", `/api/runs/${canceled}/cancel?paused=true`, { key: keys.one });
    // What was refused is no change.
    await service.send("POST", `/api/runs/${canceled}/cancel?paused=true`, { key: keys.one });
    const entries = async (id: string) => (await list(`?filter[target]=${id}`)).data;
    expect(await entries(answered)).toMatchObject([
      {
        action: "run.answer",
        by: { userId: "ada", via: "key" },
        after: { nodeKey: "ask", decision: "approved" },
      },
    ]);
    const [byLink, ...others] = await entries(linked);
    expect(others).toEqual([]);
    expect(byLink).toMatchObject({ action: "run.answer", by: { via: "link", address: "127.0.0.1" } });
    expect(byLink.by.userId).toBeUndefined();
    expect(await entries(canceled)).toMatchObject([
      { action: "run.cancel", by: { userId: "ada", via: "key" } },
    ]);
  });

  it("tells every organization of a user about a key that reaches them all, and nobody else", async () => {
    const context = { pool: service.database.pool, ids };
    const { id } = await createKey(context, actor, { scope: "user", userId: "eve", name: "mine" });
    for (const key of [keys.one, keys.two])
      expect((await list(`?filter[target]=${id}`, key)).data).toHaveLength(1);
    const { data } = await list("", keys.two);
    expect(new Set(data.map((entry: { organizationId: string }) => entry.organizationId))).toEqual(
      new Set(["org_two"]),
    );
  });

  it("is read page by page, and by who, what and when", async () => {
    const { pool } = service.database;
    const changes = Array.from({ length: 7 }, (_, index) => ({
      organizationId: "org_two",
      action: "thing.change",
      target: `thing_${index}`,
    }));
    for (const change of changes)
      await recordAudit({ db: pool, ids }, { userId: "bob", via: "session", viaId: "s1" }, change);
    const seen: string[] = [];
    let after = "";
    do {
      const page = await list(
        `?filter[action]=thing.change&filter[userId]=bob&page[size]=3${after && `&page[after]=${after}`}`,
        keys.two,
      );
      seen.push(...page.data.map(({ target }: { target: string }) => target));
      after = page.pagination.next ?? "";
    } while (after !== "");
    expect(seen).toEqual(changes.map(({ target }) => target).reverse());
    const future = encodeURIComponent(new Date(Date.now() + 3_600_000).toISOString());
    expect((await list(`?filter[from]=${future}`, keys.two)).data).toEqual([]);
    expect((await list(`?filter[to]=${future}&filter[target]=thing_3`, keys.two)).data).toHaveLength(1);
    expect((await list(`?filter[action]=thin`, keys.two)).data).toEqual([]);
  });

  it("keeps a value that is too large out", async () => {
    const { pool } = service.database;
    const change = { organizationId: "org_two", action: "large.change", target: "x" };
    await recordAudit({ db: pool, ids }, actor, { ...change, after: { text: "x".repeat(70_000) } });
    const { data } = await list("?filter[action]=large", keys.two);
    expect(data[0].after).toEqual({ tooLarge: true, bytes: 70_011 });
  });

  it("is only added to, until the time is over for which the organization keeps it", async () => {
    const { pool } = service.database;
    const insert = (id: string, daysAgo: number) =>
      pool.query(
        `INSERT INTO audit_entries (organization_id, id, created_at, via, action, target)
         VALUES ('org_two', $1, now() - make_interval(days => $2), 'service', 'old.change', 'x')`,
        [id, daysAgo],
      );
    await insert("audit_399", 399);
    await insert("audit_401", 401);
    const refused = /audit entries are only added/;
    await expect(pool.query(`UPDATE audit_entries SET action = 'nothing'`)).rejects.toThrow(refused);
    await expect(pool.query(`DELETE FROM audit_entries WHERE id = 'audit_399'`)).rejects.toThrow(refused);
    await expect(pool.query(`TRUNCATE audit_entries`)).rejects.toThrow(refused);
    const duty = retention({ pool, retentionDays: 0, nowMs: () => Date.now() });
    await duty.runOnce(new AbortController().signal);
    const left = async () =>
      (await list("?filter[action]=old", keys.two)).data.map(({ id }: { id: string }) => id);
    expect(await left()).toEqual(["audit_399"]);
    await pool.query(`UPDATE organizations SET audit_days = 398 WHERE id = 'org_two'`);
    await duty.runOnce(new AbortController().signal);
    expect(await left()).toEqual([]);
  });
});
