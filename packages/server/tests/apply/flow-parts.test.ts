import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { secretPlace } from "../../src/domain/secret-place.ts";
import { createWorkspace, flow, lines, organization, type Workspace } from "./workspace.ts";

let workspace: Workspace;
beforeAll(async () => {
  workspace = await createWorkspace();
});
beforeEach(async () => {
  await workspace.database.pool.query(`TRUNCATE organizations, users CASCADE`);
  await workspace.apply({ "org.yaml": organization() });
});
afterAll(() => workspace.remove());

const applyFlow = async (more = "", changes = {}) => {
  const [applied] = await workspace.apply({ "a.yaml": flow("flow_a", { more, ...changes }) });
  return applied!;
};

describe("versions", () => {
  it("a flow gets version N of the day, counted up only when it would run differently", async () => {
    const day = new Date().toISOString().slice(0, 10).replaceAll("-", "");
    expect(await applyFlow()).toMatchObject({ action: "created", version: `${day}.1` });
    expect(await applyFlow("", { text: "other" })).toMatchObject({ action: "updated", version: `${day}.2` });
    expect(await applyFlow("", { text: "hi" })).toMatchObject({ action: "updated", version: `${day}.3` });
    expect(await workspace.count("flow_versions")).toBe(3);
  });

  it("what a flow takes belongs to its version", async () => {
    const { version } = await applyFlow();
    const first = await applyFlow("input: { type: object }");
    expect(first.version).not.toBe(version);
    expect(await applyFlow("input: { type: object }")).toMatchObject({
      action: "unchanged",
      version: first.version,
    });
    const told = await applyFlow("input: { type: object }\ntool: { description: Greets }");
    expect(told).toMatchObject({ action: "updated" });
    const { rows } = await workspace.database.pool.query(
      `SELECT settings FROM flow_versions ORDER BY version`,
    );
    const input = { type: "object" };
    expect(rows.map(({ settings }) => settings)).toEqual([
      null,
      { input },
      { input, tool: { description: "Greets" } },
    ]);
  });

  it("a dragged node is stored without a new version", async () => {
    const { version } = await applyFlow();
    expect(await applyFlow("", { x: 250 })).toMatchObject({ action: "updated", version });
    const { rows } = await workspace.database.pool.query(
      `SELECT graph #> '{nodes,0,position,x}' AS x, updated_at IS NOT NULL AS touched FROM flow_versions, flows`,
    );
    expect(rows).toEqual([{ x: 250, touched: true }]);
  });
});

describe("the webhook of a flow", () => {
  const webhook = async () => {
    const { rows } = await workspace.database.pool.query(`SELECT * FROM flow_webhooks`);
    return rows[0];
  };

  it("gets a token on the first document that enables it, kept as a hash and sealed", async () => {
    await applyFlow("webhook: { enabled: true }");
    const { token_ciphertext, token_hash, enabled } = await webhook();
    const token = workspace.secrets.open(secretPlace("org_a", "webhook", "flow_a"), token_ciphertext);
    expect(token).toMatch(/^[0-9A-Za-z]{43}$/);
    expect(createHash("sha256").update(token).digest()).toEqual(token_hash);
    expect(enabled).toBe(true);
  });

  it("keeps its token while it is switched off and on", async () => {
    await applyFlow("webhook: { enabled: false }");
    expect((await webhook()).enabled).toBe(false);
    await applyFlow("webhook: { enabled: true }");
    const before = await webhook();
    await applyFlow("webhook: { enabled: false }");
    expect(await webhook()).toEqual({ ...before, enabled: false });
    await applyFlow("webhook: { enabled: true }");
    expect(await webhook()).toEqual(before);
  });

  it("waits for the flow's answer as long as the document says", async () => {
    await applyFlow('webhook: { enabled: true, respond: { wait: "10s" } }');
    expect((await webhook()).respond_wait_ms).toBe(10_000);
    expect((await applyFlow('webhook: { enabled: true, respond: { wait: "2m" } }')).action).toBe("updated");
    expect((await webhook()).respond_wait_ms).toBe(120_000);
    expect((await applyFlow('webhook: { enabled: true, respond: { wait: "2m" } }')).action).toBe("unchanged");
    await applyFlow("webhook: { enabled: true }");
    expect((await webhook()).respond_wait_ms).toBeNull();
    for (const wait of ["6m", "0s", "10", "1h"])
      await expect(applyFlow(`webhook: { enabled: true, respond: { wait: "${wait}" } }`)).rejects.toThrow();
  });

  it("is deleted when the document no longer has it", async () => {
    await applyFlow("webhook: { enabled: true }");
    expect((await applyFlow()).action).toBe("updated");
    expect(await webhook()).toBeUndefined();
  });

  it("ends with its flow", async () => {
    await applyFlow("webhook: { enabled: true }");
    await workspace.apply({ "org.yaml": organization() }, { prune: true });
    expect(await webhook()).toBeUndefined();
  });
});

describe("schedules", () => {
  const nightly =
    'schedules: [{ id: nightly, cron: "0 3 * * *", timezone: Europe/Istanbul, data: { a: 1 } }]';
  const schedules = async () =>
    (await workspace.database.pool.query(`SELECT * FROM flow_schedules ORDER BY id`)).rows;

  it("are stored with their next time in their own time zone", async () => {
    await applyFlow(nightly);
    const [row] = await schedules();
    expect(row).toMatchObject({ cron: "0 3 * * *", timezone: "Europe/Istanbul", data: { a: 1 } });
    expect(row.next_at.toISOString()).toMatch(/T00:00:00.000Z$/);
    expect(row.next_at.getTime()).toBeGreaterThan(Date.now());
  });

  it("keep their next time until their times change", async () => {
    await applyFlow(nightly);
    await workspace.database.pool.query(`UPDATE flow_schedules SET next_at = '2001-01-01Z'`);
    expect((await applyFlow(nightly)).action).toBe("unchanged");
    await applyFlow(nightly.replace("a: 1", "a: 2"));
    expect((await schedules())[0].next_at.getUTCFullYear()).toBe(2001);
    await applyFlow(nightly.replace("0 3", "0 4"));
    expect((await schedules())[0].next_at.getTime()).toBeGreaterThan(Date.now());
  });

  it("are deleted when the document no longer has them", async () => {
    await applyFlow(nightly);
    await applyFlow();
    expect(await schedules()).toEqual([]);
  });
});

describe("event endpoints", () => {
  const endpoint = (url: string) =>
    `kind: EventEndpoint\nid: hooks\norganizationId: org_a\nurl: ${url}\nevents: ["run.*", queue.item_dispatched]\n`;

  it("get a signing secret once, which a change of address does not touch", async () => {
    await workspace.apply({ "e.yaml": endpoint("https://a.example/events") });
    const secret = async () => {
      const { rows } = await workspace.database.pool.query(`SELECT secret_ciphertext FROM event_endpoints`);
      return workspace.secrets.open(
        secretPlace("org_a", "event-endpoint", "hooks"),
        rows[0].secret_ciphertext,
      );
    };
    const before = await secret();
    expect(before).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(lines(await workspace.apply({ "e.yaml": endpoint("https://b.example/events") }))).toEqual([
      "updated EventEndpoint hooks",
    ]);
    expect(await secret()).toBe(before);
  });
});
