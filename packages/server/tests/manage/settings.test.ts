import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCredential } from "../../src/operations/credentials/open-credential.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addTwoOrganizations } from "../support/workspace.ts";

let service: TestService;
let keys: Awaited<ReturnType<typeof addTwoOrganizations>>;
beforeAll(async () => {
  service = await startTestService();
  keys = await addTwoOrganizations(service.database.pool);
});
afterAll(() => service.stop());

const ask = (method: string, path: string, body?: object, key = keys.one) =>
  service.send(method, `/manage${path}`, { key, body });

async function audited(target: string): Promise<string[]> {
  const { body } = await ask("GET", `/audit?filter[target]=${target}`);
  return body.data.data.map(({ action }: { action: string }) => action).toReversed();
}

describe("credentials", () => {
  const bearer = { type: "http-bearer", allowedHosts: ["api.example.com"], secret: { token: "t0p-s3cret" } };

  it("are set, listed by name and deleted, and their secret is shown nowhere", async () => {
    const put = async (body: object) => (await ask("PUT", "/credentials/crm", body)).body.data?.action;
    expect([await put(bearer), await put(bearer)]).toEqual(["created", "unchanged"]);
    expect(await put({ ...bearer, secret: { token: "an0ther" } })).toBe("updated");
    const { pool } = service.database;
    const opened = await openCredential({ db: pool, secrets: service.secrets }, "org_one", "crm");
    expect(opened?.secret).toEqual({ token: "an0ther" });
    const listed = await service.get("/manage/credentials", keys.viewer);
    expect(listed.body.data.data).toMatchObject([{ id: "crm", type: "http-bearer" }]);
    expect((await ask("GET", "/credentials", undefined, keys.two)).body.data.data).toEqual([]);
    expect((await ask("DELETE", "/credentials/crm", undefined, keys.two)).body.code).toBe(
      "credential_not_found",
    );
    expect((await ask("DELETE", "/credentials/crm")).body.data).toEqual({ id: "crm", deleted: true });
    expect(await audited("crm")).toEqual(["credential.create", "credential.change", "credential.delete"]);
    const audit = JSON.stringify((await ask("GET", "/audit")).body);
    expect(audit).not.toMatch(/t0p-s3cret|an0ther/);
  });

  it("fit their type, and a fault repeats no value", async () => {
    const wrong = await ask("PUT", "/credentials/crm", { ...bearer, secret: { tokn: "t0p-s3cret" } });
    expect(wrong.status).toBe(400);
    expect(wrong.body.issues.map(({ path }: { path: string[] }) => path[0])).toContain("secret");
    expect(JSON.stringify(wrong.body)).not.toContain("t0p-s3cret");
    const nowhere = await ask("PUT", "/credentials/crm", { ...bearer, allowedHosts: [] });
    expect(nowhere.body.issues).toMatchObject([{ path: ["allowedHosts"] }]);
    expect((await ask("PUT", "/credentials/a%20b", bearer)).body.code).toBe("invalid_id");
  });
});

describe("credits", () => {
  it("are granted by owners, and the ledger says why", async () => {
    expect((await ask("POST", "/credits/entries", { amount: 5 })).body.code).toBe("credits_unlimited");
    await service.database.pool.query(`UPDATE organizations SET credits_limited = true WHERE id = 'org_one'`);
    const granted = await ask("POST", "/credits/entries", { amount: 50, note: "trial" });
    expect(granted.body.data).toEqual({ organizationId: "org_one", limited: true, balance: 50 });
    expect((await ask("POST", "/credits/entries", { amount: -20 })).body.data.balance).toBe(30);
    expect((await ask("POST", "/credits/entries", { amount: 0 })).status).toBe(400);
    const page = await ask("GET", "/credits/entries?page[size]=1");
    expect(page.body.data.data).toMatchObject([{ kind: "grant", amount: -20 }]);
    const next = await ask("GET", `/credits/entries?page[after]=${page.body.data.pagination.next}`);
    expect(next.body.data.data).toMatchObject([{ kind: "grant", amount: 50, note: "trial" }]);
    expect(await audited(next.body.data.data[0].id)).toEqual(["credits.grant"]);
    await service.database.pool.query(
      `UPDATE organizations SET credits_limited = false WHERE id = 'org_one'`,
    );
  });
});

describe("organizations", () => {
  it("are those of the caller, with the role in each", async () => {
    const { body } = await service.get("/manage/organizations", keys.user);
    expect(body.data.data.map(({ id, role }: { id: string; role: string }) => [id, role])).toEqual([
      ["org_one", "member"],
      ["org_two", "member"],
    ]);
  });

  it("change what is named and keep the rest, and an entry says what it was", async () => {
    const changed = await ask("PATCH", "/organizations/org_one", { limits: { queue: 77 }, auditDays: 30 });
    expect(changed.body.data).toMatchObject({
      limits: { concurrency: 10, queue: 77, requestsPerMinute: null },
      values: "shown",
      auditDays: 30,
    });
    await ask("PATCH", "/organizations/org_one", { limits: { queue: 77 } });
    const { body } = await ask("GET", "/audit?filter[action]=organization");
    expect(body.data.data).toHaveLength(1);
    expect(body.data.data[0]).toMatchObject({ before: { queue: 10_000 }, after: { queue: 77 } });
    const other = await ask("PATCH", "/organizations/org_two", { name: "mine" });
    expect(other.body.code).toBe("organization_access_denied");
  });
});

describe("event endpoints", () => {
  it("are made, tested by the service, switched, rotated and deleted", async () => {
    const arrivals: { headers: Record<string, string>; body: string }[] = [];
    const receiver = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        arrivals.push({ headers: request.headers as Record<string, string>, body });
        response.end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const path = "/event-endpoints/hooks";
    try {
      const made = await ask("PUT", path, { url, events: ["run.failed"] });
      expect(made.body.data).toMatchObject({
        id: "hooks",
        url,
        events: ["run.failed"],
        state: "new",
        enabled: true,
      });
      const tested = await ask("POST", `${path}/test`);
      expect(tested.body.data).toMatchObject({ delivered: true, status: 200 });
      const { secret } = (await ask("GET", `${path}/secret`)).body.data;
      const [{ body, headers }] = arrivals as [(typeof arrivals)[0]];
      expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: "endpoint.test" });
      expect((await ask("POST", `${path}/disable`)).body.data).toMatchObject({ state: "disabled" });
      expect((await ask("POST", `${path}/enable`)).body.data).toMatchObject({ state: "new" });
      const rotated = await ask("POST", `${path}/rotate-secret`, { overlap: "1h" });
      expect(rotated.body.data.secret).not.toBe(secret);
      expect((await ask("POST", `${path}/rotate-secret`)).body.code).toBe("secret_still_valid");
      expect((await ask("POST", `${path}/rotate-secret`, { force: true })).status).toBe(200);
      const none = await ask("GET", `${path}/deliveries`);
      expect(none.body.data).toEqual({ data: [], pagination: {} });
      expect((await ask("POST", `${path}/test`, undefined, keys.two)).body.code).toBe(
        "event_endpoint_not_found",
      );
      expect((await ask("DELETE", path)).body.data).toEqual({ id: "hooks", deleted: true });
      expect(await audited("hooks")).toEqual(
        ["create", "test", "disable", "enable", "rotate-secret", "rotate-secret", "delete"].map(
          (verb) => `event-endpoint.${verb}`,
        ),
      );
    } finally {
      receiver.close();
    }
  });

  it("list what was sent page by page, and send it again", async () => {
    const { pool } = service.database;
    await ask("PUT", "/event-endpoints/sent", { url: "http://127.0.0.1:9/", events: ["*"] });
    const ids = Array.from({ length: 5 }, (_, at) => `evt_00000000000000000000000${at}`);
    for (const [at, id] of ids.entries())
      await pool.query(
        `INSERT INTO event_deliveries (organization_id, endpoint_id, event_id, state, attempts)
         VALUES ('org_one', 'sent', $1, $2, 1)`,
        [id, at === 2 ? "failed" : "delivered"],
      );
    const seen: string[] = [];
    let after = "";
    do {
      const query = `?page[size]=2${after && `&page[after]=${after}`}`;
      const { data, pagination } = (await ask("GET", `/event-endpoints/sent/deliveries${query}`)).body.data;
      seen.push(...data.map(({ eventId }: { eventId: string }) => eventId));
      after = pagination.next ?? "";
    } while (after !== "");
    expect(seen).toEqual(ids.toReversed());
    const failed = await ask("GET", "/event-endpoints/sent/deliveries?filter[state]=failed");
    expect(failed.body.data.data).toMatchObject([{ eventId: ids[2], state: "failed" }]);
    const resend = (body: object) => ask("POST", "/event-endpoints/sent/deliveries/resend", body);
    expect((await resend({})).body.issues).toMatchObject([{ path: ["eventId"] }]);
    expect((await resend({ since: "2026-01-01T00:00:00Z", onlyFailed: true })).body.data).toEqual({
      resent: 0,
    });
  });
});

describe("webhooks", () => {
  it("show their address to admins, get a new one, are switched and deleted", async () => {
    const { pool } = service.database;
    await pool.query(
      `INSERT INTO flow_webhooks (organization_id, flow_id, token_hash, token_ciphertext) VALUES ('org_one', 'flow_one', $1, '')`,
      [Buffer.alloc(32)],
    );
    const made = await ask("POST", "/webhooks/flow_one/regenerate");
    expect(made.body.data.url).toMatch(/\/app\/webhooks\/millrace\/flow_one\/\w{43}$/);
    const { body } = await ask("GET", "/webhooks");
    expect(body.data.data).toEqual([{ flowId: "flow_one", enabled: true, url: made.body.data.url }]);
    const post = async () => (await fetch(made.body.data.url, { method: "POST" })).status;
    expect(await post()).toBe(202);
    expect((await ask("POST", "/webhooks/flow_one/disable")).body.data.enabled).toBe(false);
    expect((await ask("POST", "/webhooks/flow_one/enable")).body.data.enabled).toBe(true);
    expect((await ask("DELETE", "/webhooks/flow_one", undefined, keys.two)).body.code).toBe(
      "webhook_not_found",
    );
    expect((await ask("DELETE", "/webhooks/flow_one")).status).toBe(200);
    expect(await audited("flow_one")).toEqual(
      ["regenerate", "disable", "enable", "delete"].map((verb) => `webhook.${verb}`),
    );
  });
});
