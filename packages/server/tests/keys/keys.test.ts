import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashApiKey, looksLikeApiKey } from "../../src/domain/api-key.ts";
import { findPrincipals } from "../../src/storage/auth/find-principals.ts";
import { createTerminal, demoDirectory, type Terminal } from "../cli/terminal.ts";

const DAY_MS = 86_400_000;

let terminal: Terminal;
beforeAll(async () => {
  terminal = await createTerminal();
  await terminal.json(`apply ${demoDirectory}`);
});
afterAll(() => terminal.close());

const works = async (key: string) =>
  (await findPrincipals(terminal.database.pool, [hashApiKey(key)]))[0] !== undefined;
const daysFromNow = (moment: string) => (Date.parse(moment) - Date.now()) / DAY_MS;

describe("keys", () => {
  it("of an organization belong to its first owner unless a user is named, and expire after a year", async () => {
    const created = await terminal.json("keys create --org org_demo");
    expect(created).toEqual({
      id: expect.stringMatching(/^key_[0-9A-Za-z]{24}$/),
      key: expect.stringMatching(/^mr_org_/),
      scope: "org",
      role: "member",
      organizationId: "org_demo",
      userId: "user_ada",
      expiresAt: expect.any(String),
    });
    expect(looksLikeApiKey(created.key)).toBe(true);
    expect(daysFromNow(created.expiresAt)).toBeCloseTo(365, 1);
    expect(await works(created.key)).toBe(true);
  });

  it("of a user name no organization", async () => {
    const created = await terminal.json("keys create --scope user --user user_ada --expires 90d");
    expect(created).toMatchObject({ scope: "user", organizationId: null, userId: "user_ada" });
    expect(created.key).toMatch(/^mr_usr_/);
    expect(daysFromNow(created.expiresAt)).toBeCloseTo(90, 1);
    expect(await terminal.json("keys create --scope user --org org_demo")).toMatchObject({
      userId: "user_ada",
    });
  });

  it("are refused for unknown organizations, strangers and users that do not exist", async () => {
    const refusal = async (line: string) => {
      const { code, stderr } = await terminal.run(line);
      return `${code} ${stderr}`;
    };
    expect(await refusal("keys create --org org_none")).toMatch(
      /^1 error: There is no organization "org_none"/,
    );
    expect(await refusal("keys create --org org_demo --user user_x")).toMatch(
      /^1 error: "user_x" is not a member/,
    );
    expect(await refusal("keys create --scope user --user user_x")).toMatch(
      /^1 error: There is no user "user_x"/,
    );
    expect(await refusal("keys create")).toMatch(/^2 error: An organization key needs --org/);
    expect(await refusal("keys create --scope user")).toMatch(/^2 error: A user key needs --user/);
    expect(await refusal("keys create --org org_demo --scope all")).toMatch(/^2 error: /);
  });

  it("are stored as a hash alone and listed by their ends", async () => {
    const { id, key } = await terminal.json("keys create --org org_demo --name ci");
    const { rows } = await terminal.database.pool.query(`SELECT * FROM api_keys WHERE id = $1`, [id]);
    expect(JSON.stringify(rows)).not.toContain(key.slice(12, 40));
    const listed = await terminal.run("keys list --org org_demo");
    expect(listed.stdout).toContain(`${key.slice(0, 11)}…${key.slice(-4)}`);
    expect(listed.stdout).not.toContain(key);
  });

  it("keep working for a day after rotation, beside the new key of the same lifetime", async () => {
    const old = await terminal.json("keys create --org org_demo --name ci --expires 30d");
    const rotated = await terminal.json(`keys rotate ${old.id}`);
    expect(rotated).toMatchObject({
      replaces: old.id,
      scope: "org",
      role: "member",
      organizationId: "org_demo",
      userId: "user_ada",
    });
    expect(daysFromNow(rotated.replacedExpiresAt)).toBeCloseTo(1, 1);
    expect(daysFromNow(rotated.expiresAt)).toBeCloseTo(30, 1);
    expect([await works(old.key), await works(rotated.key)]).toEqual([true, true]);
    expect((await terminal.run(`keys rotate ${old.id}`)).stderr).toContain(`rotate ${rotated.id} instead`);
  });

  it("end at once when rotated with an overlap of 0", async () => {
    const old = await terminal.json("keys create --org org_demo");
    const rotated = await terminal.json(`keys rotate ${old.id} --overlap 0`);
    expect([await works(old.key), await works(rotated.key)]).toEqual([false, true]);
  });

  it("are rotated once, however many ask at the same time", async () => {
    const { id } = await terminal.json("keys create --org org_demo");
    const results = await Promise.all([1, 2, 3].map(() => terminal.run(`keys rotate ${id} --json`)));
    expect(results.filter(({ code }) => code === 0)).toHaveLength(1);
  });

  it("cannot be rotated once revoked or expired", async () => {
    const revoked = await terminal.json("keys create --org org_demo");
    await terminal.json(`keys revoke ${revoked.id}`);
    expect(await works(revoked.key)).toBe(false);
    expect((await terminal.run(`keys rotate ${revoked.id}`)).stderr).toContain("is revoked");
    const expired = await terminal.json("keys create --org org_demo");
    await terminal.database.pool.query(`UPDATE api_keys SET expires_at = now() WHERE id = $1`, [expired.id]);
    expect((await terminal.run(`keys rotate ${expired.id}`)).stderr).toContain("has expired");
  });

  it("stay revoked since the first time", async () => {
    const { id } = await terminal.json("keys create --org org_demo");
    const { revokedAt } = await terminal.json(`keys revoke ${id}`);
    expect(await terminal.json(`keys revoke ${id}`)).toEqual({ id, revokedAt });
    const { data: listed } = await terminal.json("keys list --user user_ada");
    expect(listed.find((key: { id: string }) => key.id === id).state).toBe("revoked");
  });
});
