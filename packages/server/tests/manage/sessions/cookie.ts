import { describe, expect, it } from "vitest";
import { hashToken } from "../../../src/domain/session-token.ts";
import { cookieOf, sendRaw } from "../../support/browser.ts";
import { startTestService } from "../../support/service.ts";
import { type Headers, host, keys, ownPage, send, service, session, signIn, validate } from "./support.ts";

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
