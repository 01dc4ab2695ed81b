import { beforeEach, describe, expect, it } from "vitest";
import { hashToken } from "../../../src/domain/session-token.ts";
import { cookieOf } from "../../support/browser.ts";
import { addKey, addUser } from "../../support/workspace.ts";
import { keys, send, service, session, signIn, validate, ownPage } from "./support.ts";

describe("a session made with a key", () => {
  let id: string;
  let key: string;
  beforeEach(async () => {
    ({ id, key } = await addKey(service.database.pool, {
      organizationId: "org_one",
      userId: "ada",
      role: "member",
    }));
  });

  it("reaches what the key reaches, and no more", async () => {
    const answer = await signIn({ key });
    expect(answer.body.data.organizations).toEqual([{ id: "org_one", role: "member" }]);
    const cookie = cookieOf(answer);
    const audit = await send("GET", "/manage/audit", { ...ownPage, cookie });
    expect([audit.status, audit.body.messageParams]).toEqual([403, { requiredRole: "admin" }]);
    expect((await send("GET", "/api/flows/flow_two", { ...ownPage, cookie })).status).toBe(403);
  });

  it("ends within five seconds when the key is revoked, or its user leaves or is disabled", async () => {
    const { pool } = service.database;
    await addUser(pool, "gone", { org_one: "member" });
    const leaving = (await addKey(pool, { organizationId: "org_one", userId: "gone" })).key;
    await addUser(pool, "off", { org_one: "member" });
    const off = (await addKey(pool, { organizationId: "org_one", userId: "off" })).key;
    const cookies = [await session({ key }), await session({ key: leaving }), await session({ key: off })];
    const statuses = () => Promise.all(cookies.map((cookie) => validate({ ...ownPage, cookie })));
    expect(await statuses()).toEqual([200, 200, 200]);
    await pool.query(`UPDATE api_keys SET revoked_at = now() WHERE id = $1`, [id]);
    await pool.query(`DELETE FROM memberships WHERE user_id = 'gone'`);
    await pool.query(`UPDATE users SET disabled = true WHERE id = 'off'`);
    const since = performance.now();
    while (JSON.stringify(await statuses()) !== "[401,401,403]") {
      if (performance.now() - since > 5_000) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(await statuses()).toEqual([401, 401, 403]);
    expect((await signIn({ key })).status).toBe(401);
    expect((await signIn({ key: off })).status).toBe(403);
    expect((await signIn({ key: keys.suspended })).status).toBe(403);
    expect((await signIn({ key: keys.expired })).status).toBe(401);
  });
});

describe("a session", () => {
  it("ends after 12 hours without a request, and after 7 days in any case", async () => {
    const { pool } = service.database;
    const age = async (cookie: string, column: string, hours: number) =>
      pool.query(
        `UPDATE console_sessions SET ${column} = now() + make_interval(mins => $2) WHERE hash = $1`,
        [hashToken(cookie.slice("millrace=".length)), hours * 60],
      );
    const idle = await session({ key: keys.one });
    await age(idle, "last_seen_at", -11.9);
    expect(await validate({ ...ownPage, cookie: idle })).toBe(200);
    const tooIdle = await session({ key: keys.one });
    await age(tooIdle, "last_seen_at", -12.1);
    expect(await validate({ ...ownPage, cookie: tooIdle })).toBe(401);
    const old = await session({ key: keys.one });
    const { rows } = await pool.query(
      `SELECT extract(epoch FROM expires_at - created_at) AS life FROM console_sessions WHERE hash = $1`,
      [hashToken(old.slice("millrace=".length))],
    );
    expect(Math.round(Number(rows[0].life))).toBe(7 * 86_400);
    await age(old, "expires_at", -0.1);
    expect(await validate({ ...ownPage, cookie: old })).toBe(401);
  });

  it("is listed and ended by its user and by owners, and by nobody else", async () => {
    const { pool } = service.database;
    const eve = await addKey(pool, { organizationId: "org_one", userId: "eve" });
    const cookie = await session({ key: eve.key });
    const listed = await send("GET", "/manage/sessions", { ...ownPage, cookie });
    expect(listed.body.data.data).toHaveLength(1);
    const [own] = listed.body.data.data;
    expect(own).toMatchObject({
      userId: "eve",
      method: "key",
      keyId: eve.id,
      current: true,
      address: "127.0.0.1",
    });
    const end = (key: string) => send("DELETE", `/manage/sessions/${own.id}`, { "x-api-key": key });
    expect((await end(keys.two)).status).toBe(404);
    expect((await end(keys.viewer)).status).toBe(404);
    const all = await send("GET", "/manage/sessions?organizationId=org_one", { "x-api-key": keys.one });
    expect(all.body.data.data.map(({ id }: { id: string }) => id)).toContain(own.id);
    const refused = await send("GET", "/manage/sessions?organizationId=org_one", {
      "x-api-key": keys.viewer,
    });
    expect(refused.body.messageParams).toEqual({ requiredRole: "owner" });
    // Bob owns org_two, where eve is a member, but this session does not reach it.
    const bobs = await send("GET", "/manage/sessions?organizationId=org_two", { "x-api-key": keys.two });
    expect(bobs.body.data.data.map(({ id }: { id: string }) => id)).not.toContain(own.id);
    const out = await send("DELETE", `/manage/sessions/${own.id}`, { ...ownPage, cookie });
    expect([out.status, String(out.headers["set-cookie"])]).toEqual([
      200,
      expect.stringMatching(/^millrace=; Path=\/; Max-Age=0/),
    ]);
    expect((await end(keys.one)).status).toBe(404);
    const audit = await send("GET", `/manage/audit?filter[target]=${own.id}`, { "x-api-key": keys.one });
    expect(
      audit.body.data.data.map(({ action, by }: { action: string; by: object }) => [action, by]),
    ).toEqual([
      ["session.end", { userId: "eve", via: "session", viaId: own.id, address: "127.0.0.1" }],
      ["session.create", { userId: "eve", via: "session", viaId: own.id, address: "127.0.0.1" }],
    ]);
  });
});
