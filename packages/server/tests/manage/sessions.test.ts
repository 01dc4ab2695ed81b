import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hashToken } from "../../src/domain/session-token.ts";
import { makeSignInLink } from "../../src/operations/sessions/make-sign-in-link.ts";
import { cookieOf, sendRaw } from "../support/browser.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addKey, addTwoOrganizations, addUser } from "../support/workspace.ts";

const ownPage = { "sec-fetch-site": "same-origin" };

let service: TestService;
let keys: Awaited<ReturnType<typeof addTwoOrganizations>>;
let host: string;
beforeAll(async () => {
  service = await startTestService();
  keys = await addTwoOrganizations(service.database.pool);
  host = new URL(service.address).host;
});
afterAll(() => service.stop());

type Headers = Record<string, string>;
const send = (method: string, path: string, headers: Headers = {}, body?: object) =>
  sendRaw(service.address, method, path, { headers, body });
const signIn = (body: object, headers: Headers = ownPage) => send("POST", "/manage/sessions", headers, body);
const validate = async (headers: Headers) => (await send("GET", "/api/auth/validate", headers)).status;

async function linkToken(): Promise<string> {
  const link = await makeSignInLink(service.database.pool, service.address);
  return link!.url.split("#")[1]!;
}

async function session(body: object): Promise<string> {
  const answer = await signIn(body);
  expect(answer.status).toBe(201);
  return cookieOf(answer);
}

describe("a sign-in link", () => {
  it("stands in the fragment and signs in as the first owner", async () => {
    const link = await makeSignInLink(service.database.pool, service.address);
    expect(link!.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/login#[\w-]{43}$/);
    const answer = await signIn({ token: link!.url.split("#")[1]! });
    expect(answer.body.data).toMatchObject({ method: "link", user: { id: "ada" } });
    expect(await validate({ ...ownPage, cookie: cookieOf(answer) })).toBe(200);
  });

  it("works once, also where two use it at the same moment", async () => {
    const token = await linkToken();
    const answers = await Promise.all(Array.from({ length: 5 }, () => signIn({ token })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 401, 401, 401, 401]);
  });

  it("works for ten minutes, and only its hash is kept", async () => {
    const { pool } = service.database;
    const token = await linkToken();
    const { rows } = await pool.query(
      `SELECT extract(epoch FROM expires_at - created_at) AS life FROM sign_in_links WHERE hash = $1`,
      [hashToken(token)],
    );
    expect(Math.round(Number(rows[0].life))).toBe(600);
    await pool.query(`UPDATE sign_in_links SET expires_at = now() - interval '1 second' WHERE hash = $1`, [
      hashToken(token),
    ]);
    expect((await signIn({ token })).status).toBe(401);
    expect((await signIn({ token: "x".repeat(43) })).status).toBe(401);
    expect((await signIn({ token: "short" })).status).toBe(401);
  });
});

describe("the cookie", () => {
  it("is HttpOnly, SameSite=Strict, for the whole site, and its secret is not in the database", async () => {
    const answer = await signIn({ key: keys.one });
    const cookie = String(answer.headers["set-cookie"]);
    expect(cookie).toMatch(/^millrace=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/);
    const token = cookieOf(answer).slice("millrace=".length);
    const { rows } = await service.database.pool.query(
      `SELECT s::text AS row FROM console_sessions s WHERE hash = $1`,
      [hashToken(token)],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0].row).not.toContain(token);
    expect(JSON.stringify(answer.body)).not.toContain(token);
  });

  it("speaks for our own pages alone, on every method", async () => {
    const cookie = await session({ key: keys.one });
    const origin = `http://${host}`;
    const own: Headers[] = [ownPage, { origin }, { ...ownPage, origin: "https://evil.example" }];
    for (const headers of own) expect(await validate({ ...headers, cookie })).toBe(200);
    const foreign: Headers[] = [
      {},
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "none" },
      { "sec-fetch-site": "same-origin, same-origin" },
      { "sec-fetch-site": "" },
      { "sec-fetch-site": "cross-site", origin },
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: `https://${host}` },
      { origin: `http://${host}.evil.example` },
      { origin: "http://127.0.0.1:1" },
      { referer: `${origin}/console` },
    ];
    for (const headers of foreign) {
      for (const [method, path, body] of [
        ["GET", "/api/auth/validate"],
        ["HEAD", "/api/flows"],
        ["GET", "/manage/audit"],
        ["POST", "/api/runs", { payload: { flowId: "flow_one" } }],
        ["DELETE", "/manage/sessions/login_x"],
      ] as const) {
        const { status } = await send(method, path, { ...headers, cookie }, body);
        expect([method, path, headers, status]).toEqual([method, path, headers, 401]);
      }
    }
  });

  it("is never looked at where there is a header for a key, wrong or empty", async () => {
    const cookie = await session({ key: keys.one });
    for (const headers of [
      { authorization: `Bearer mr_org_${"A".repeat(38)}` },
      { authorization: "Bearer" },
      { authorization: "ApiKey " },
      { "x-api-key": "nothing" },
      { "x-api-key": "" },
    ] as Headers[])
      expect([headers, await validate({ ...ownPage, cookie, ...headers })]).toEqual([headers, 401]);
    const other = await send("GET", "/api/auth/validate", { ...ownPage, cookie, "x-api-key": keys.two });
    expect(other.body.data.user.id).toBe("bob");
    // Another scheme is not for this service.
    expect(await validate({ ...ownPage, cookie, authorization: "Basic YTpi" })).toBe(200);
  });

  it("of two with one name is none, and one of another name is none", async () => {
    const cookie = await session({ key: keys.one });
    expect(await validate({ ...ownPage, cookie: `${cookie}; millrace=other` })).toBe(401);
    expect(await validate({ ...ownPage, cookie: `x=1; ${cookie}; y=2` })).toBe(200);
    expect(await validate({ ...ownPage, cookie: `__Host-${cookie}` })).toBe(401);
  });

  it("is named __Host- and Secure over https, and the plain one then counts for nothing", async () => {
    const env = { MILLRACE_PUBLIC_URL: "https://millrace.example", MILLRACE_TRUST_PROXY: "127.0.0.0/8" };
    const behind = await startTestService(env, { database: service.database, role: "api" });
    try {
      const headers = { ...ownPage, host: "millrace.example" };
      const answer = await sendRaw(behind.address, "POST", "/manage/sessions", {
        headers,
        body: { key: keys.one },
      });
      expect(String(answer.headers["set-cookie"])).toMatch(
        /^__Host-millrace=[\w-]{43}; Path=\/; .*HttpOnly; SameSite=Strict; Secure$/,
      );
      const cookie = cookieOf(answer);
      const status = async (more: Headers) =>
        (await sendRaw(behind.address, "GET", "/api/auth/validate", { headers: { ...headers, ...more } }))
          .status;
      expect(await status({ cookie })).toBe(200);
      expect(await status({ cookie: cookie.replace("__Host-", "") })).toBe(401);
      // Where a browser says nothing, the origin is the one of the public address.
      const bare = { "sec-fetch-site": undefined as never, cookie };
      const silent = Object.fromEntries(
        Object.entries({ ...headers, ...bare }).filter(([, v]) => v !== undefined),
      );
      const from = async (origin: string) =>
        (
          await sendRaw(behind.address, "GET", "/api/auth/validate", {
            headers: { ...(silent as Headers), origin },
          })
        ).status;
      expect(await from("https://millrace.example")).toBe(200);
      expect(await from("https://evil.example")).toBe(401);
      // A proxy that is trusted says which protocol its caller used.
      const proxied = await sendRaw(behind.address, "POST", "/manage/sessions", {
        headers: { ...ownPage, "x-forwarded-proto": "https" },
        body: { key: keys.one },
      });
      expect(cookieOf(proxied)).toMatch(/^__Host-/);
    } finally {
      await behind.stop();
    }
  });
});

describe("a page of somebody else", () => {
  it("cannot sign anybody in", async () => {
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example" },
      { origin: "null" },
    ] as Headers[]) {
      const { status, body } = await signIn({ key: keys.one }, headers);
      expect([headers, status, body.code]).toEqual([headers, 403, "cross_site_request"]);
    }
    // A program says nothing of where it comes from.
    expect((await signIn({ key: keys.one }, {})).status).toBe(201);
  });

  it("cannot become one of ours by pointing its name at this machine", async () => {
    const cookie = await session({ key: keys.one });
    const names = [
      "evil.example",
      `evil.example:${host.split(":")[1]}`,
      "127.0.0.1.evil.example",
      "evil@localhost",
    ];
    for (const name of names) {
      const rebound = { ...ownPage, host: name, origin: `http://${name}` };
      const forged = { ...rebound, "x-forwarded-host": "localhost" };
      for (const headers of [rebound, forged]) {
        expect(await validate({ ...headers, cookie })).toBe(401);
        for (const proof of [{}, { cookie }, { "x-api-key": keys.one }] as Headers[]) {
          const { status } = await send("GET", "/manage/sessions", { ...headers, ...proof });
          expect([name, status]).toEqual([name, 403]);
        }
        expect((await signIn({ key: keys.one }, headers)).body.code).toBe("host_not_allowed");
      }
    }
    for (const name of ["localhost", "app.localhost:4000", "127.0.0.1", "[::1]:4000"])
      expect(await validate({ ...ownPage, host: name, cookie })).toBe(200);
    // With a key a proxy in front may pass on any name, as before.
    expect(await validate({ host: "api.example.com", "x-api-key": keys.one })).toBe(200);
  });
});

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

it("guesses of tokens, keys and cookies count against the limit of wrong keys", async () => {
  const limited = await startTestService(
    { MILLRACE_BAD_KEYS_PER_MINUTE: "6" },
    { database: service.database, role: "api" },
  );
  try {
    const guess = async (body: object) =>
      (await sendRaw(limited.address, "POST", "/manage/sessions", { headers: ownPage, body })).status;
    const cookie = async (value: string) =>
      (
        await sendRaw(limited.address, "GET", "/api/auth/validate", {
          headers: { ...ownPage, cookie: `millrace=${value}` },
        })
      ).status;
    const statuses = [
      await guess({ token: "a".repeat(43) }),
      await guess({ token: "short" }),
      await guess({ key: `mr_org_${"A".repeat(38)}` }),
      await guess({ key: keys.revoked }),
      await cookie("b".repeat(43)),
      await cookie("nonsense"),
      await guess({ token: "c".repeat(43) }),
      await cookie("d".repeat(43)),
    ];
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429, 429]);
    expect(await guess({ key: keys.one })).toBe(201);
  } finally {
    await limited.stop();
  }
});
