import { describe, expect, it } from "vitest";
import { hashToken } from "../../../src/domain/session-token.ts";
import { makeSignInLink } from "../../../src/operations/sessions/make-sign-in-link.ts";
import { cookieOf, sendRaw } from "../../support/browser.ts";
import { startTestService } from "../../support/service.ts";
import { keys, linkToken, ownPage, service, signIn, validate } from "./support.ts";

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
