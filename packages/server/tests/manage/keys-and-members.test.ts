import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";
import { addKey, addTwoOrganizations, addUser } from "../support/workspace.ts";

let service: TestService;
let keys: Awaited<ReturnType<typeof addTwoOrganizations>>;
let admin: string;
beforeAll(async () => {
  service = await startTestService();
  const { pool } = service.database;
  keys = await addTwoOrganizations(pool);
  await addUser(pool, "alan", { org_one: "admin" });
  admin = (await addKey(pool, { organizationId: "org_one", userId: "alan" })).key;
});
afterAll(() => service.stop());

const ask = (method: string, path: string, key: string, body?: object) =>
  service.send(method, `/manage${path}`, { key, body });

async function audited(target: string): Promise<object[]> {
  const { body } = await ask("GET", `/audit?filter[target]=${target}`, keys.one);
  return body.data.data;
}

describe("keys", () => {
  it("are made, used, listed, rotated and revoked", async () => {
    const made = await ask("POST", "/keys", admin, { name: "ci", role: "member", expiresIn: "30d" });
    expect(made.status).toBe(201);
    const { id, key } = made.body.data;
    expect(made.body.data).toMatchObject({ role: "member", userId: "alan" });
    expect((await service.get("/api/auth/validate", key)).body.data.user.id).toBe("alan");
    const listed = await ask("GET", "/keys", admin);
    const own = listed.body.data.data.find((one: { id: string }) => one.id === id);
    expect(own).toMatchObject({ name: "ci", role: "member", state: "active", hint: expect.any(String) });
    expect(JSON.stringify(listed.body)).not.toContain(key);

    const rotated = await ask("POST", `/keys/${id}/rotate`, admin, { overlap: "0" });
    expect(rotated.body.data).toMatchObject({ replaces: id, role: "member", userId: "alan" });
    expect((await ask("POST", `/keys/${id}/rotate`, admin)).body.code).toBe("key_not_rotatable");
    const replacement = rotated.body.data;
    expect((await service.get("/api/auth/validate", replacement.key)).status).toBe(200);
    expect((await ask("DELETE", `/keys/${replacement.id}`, admin)).body.data.id).toBe(replacement.id);
    expect(await audited(id)).toMatchObject([
      { action: "key.rotate", by: { userId: "alan", via: "key" } },
      { action: "key.create", after: { name: "ci", role: "member" } },
    ]);
  });

  it("never do more than whoever makes or rotates them", async () => {
    const refused = await ask("POST", "/keys", admin, { name: "up", role: "owner" });
    expect([refused.status, refused.body.messageParams]).toEqual([403, { requiredRole: "owner" }]);
    const owners = (await ask("POST", "/keys", keys.one, { name: "top", role: "owner" })).body.data;
    const stolen = await ask("POST", `/keys/${owners.id}/rotate`, admin);
    expect([stolen.status, stolen.body.messageParams]).toEqual([403, { requiredRole: "owner" }]);
    // A key that acts as an owner and may only start runs is no way up either.
    const weak = await ask("POST", "/keys", admin, { name: "ci", role: "member", userId: "ada" });
    expect((await ask("GET", "/keys", weak.body.data.key)).status).toBe(403);
  });

  it("of another organization, and of nobody, are not there", async () => {
    const { id } = (await ask("POST", "/keys", admin, { name: "mine" })).body.data;
    for (const [method, path] of [
      ["POST", `/keys/${id}/rotate`],
      ["DELETE", `/keys/${id}`],
      ["DELETE", "/keys/key_none"],
    ] as const)
      expect((await ask(method, path, keys.two)).body.code).toBe("key_not_found");
    const stranger = { name: "x", userId: "bob" };
    expect((await ask("POST", "/keys", admin, stranger)).body.code).toBe("member_not_found");
    expect((await ask("POST", "/keys", admin, { name: "x", expiresIn: "9999w" })).body.issues).toEqual([
      { path: ["expiresIn"], message: expect.stringContaining("3650d") },
    ]);
  });
});

describe("members", () => {
  const carl = { userId: "carl", email: "carl@example.com", name: "Carl" };

  it("are added, changed and removed by owners", async () => {
    expect((await ask("POST", "/members", keys.one, carl)).body.data).toEqual({
      ...carl,
      role: "member",
      disabled: false,
    });
    expect((await ask("POST", "/members", keys.one, carl)).body.code).toBe("member_exists");
    const { key } = (await ask("POST", "/keys", keys.one, { name: "carls", userId: "carl" })).body.data;
    expect((await service.get("/api/flows", key)).status).toBe(200);
    const changed = await ask("PATCH", "/members/carl", keys.one, { role: "viewer" });
    expect(changed.body.data.role).toBe("viewer");
    const listed = await ask("GET", "/members", keys.viewer);
    expect(listed.body.data.data).toContainEqual({ ...carl, role: "viewer", disabled: false });
    expect((await ask("DELETE", "/members/carl", keys.one)).body.data).toEqual({
      userId: "carl",
      removed: true,
    });
    expect((await ask("DELETE", "/members/carl", keys.one)).body.code).toBe("member_not_found");
    expect(await audited("carl")).toMatchObject([
      { action: "member.remove", before: { role: "viewer" } },
      { action: "member.change", before: { role: "member" }, after: { role: "viewer" } },
      { action: "member.add", after: { email: "carl@example.com", role: "member" } },
    ]);
  });

  it("include at least one owner, also where two leave at once", async () => {
    expect((await ask("PATCH", "/members/ada", keys.one, { role: "admin" })).body.code).toBe("last_owner");
    expect((await ask("DELETE", "/members/ada", keys.one)).body.code).toBe("last_owner");
    await ask("POST", "/members", keys.two, { ...carl, role: "owner" });
    const left = await Promise.all(
      ["bob", "carl"].map((id) => ask("PATCH", `/members/${id}`, keys.two, { role: "member" })),
    );
    expect(left.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  it("that exist elsewhere keep their name, and their id is nobody else's", async () => {
    const bob = { userId: "bob", email: "bob@example.com", name: "Somebody", role: "viewer" };
    expect((await ask("POST", "/members", keys.one, { ...bob, email: "other@example.com" })).body.code).toBe(
      "user_mismatch",
    );
    expect((await ask("POST", "/members", keys.one, { ...bob, userId: "bob2" })).body.code).toBe(
      "user_mismatch",
    );
    expect((await ask("POST", "/members", keys.one, bob)).body.data.name).toBe("Bob");
  });
});
