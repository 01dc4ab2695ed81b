import { sharedRunAnswer } from "@millrace/contract/manage/shares";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTerminal, type Terminal } from "../cli/terminal.ts";
import { chain, node } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { addKey, addOrganization, addUser } from "../support/workspace.ts";

let service: RunTestService;
let terminal: Terminal;
let runId: string;
const NASTY = `<script>alert("x")</script>&'`;

beforeAll(async () => {
  service = await startRunService();
  terminal = await createTerminal();
  await service.flow(
    "flow_shared",
    chain(
      node("secret", "set", { values: { token: "canary-hidden" } }),
      node("shown", "set", { values: { text: "{{ data.text }}" } }),
      node("done", "return", { value: { token: "{{ nodes.secret.token }}" } }),
    ),
  );
  const { pool } = service.database;
  await addOrganization(pool, "org_other");
  await addUser(pool, "otto", { org_other: "owner" });
  await addUser(pool, "vera", { org_run: "viewer" });
  await addUser(pool, "mia", { org_run: "member" });
  runId = await service.begin("flow_shared", {
    payload: { data: { text: NASTY } },
    tags: ["canary-tag"],
  });
  await service.untilEnd(runId);
});
afterAll(async () => {
  await terminal.close();
  await service.stop();
});

const keyOf = async (organizationId: string, userId: string) =>
  (await addKey(service.database.pool, { organizationId, userId })).key;
const share = (body: object, key = service.key, of = runId) =>
  service.send("POST", `/manage/runs/${of}/share`, { key, body });
const pathOf = (url: string) => new URL(url).pathname;
const JSON_ONLY = { accept: "application/json" };
const views = async () => {
  const { rows } = await service.database.pool.query(
    `SELECT via, via_id, target, address FROM audit_entries WHERE action = 'run.view_share' ORDER BY id`,
  );
  return rows;
};

it("shows structure, times and statuses to whoever has the link, and only the chosen values", async () => {
  const made = await share({ reveal: ["shown"], expiresIn: "1h" });
  expect(made.status).toBe(201);
  expect(Object.keys(made.body.data).toSorted()).toEqual(["expiresAt", "id", "url"]);
  expect(Date.parse(made.body.data.expiresAt)).toBeGreaterThan(Date.now());
  const shown = await service.get(pathOf(made.body.data.url), undefined, JSON_ONLY);
  expect(shown.status).toBe(200);
  expect(sharedRunAnswer.safeParse(shown.body).error).toBeUndefined();
  expect(shown.body.data).toMatchObject({ id: runId, flowId: "flow_shared", status: "COMPLETED" });
  expect(shown.body.data.nodes.map(({ nodeKey }: { nodeKey: string }) => nodeKey)).toEqual([
    "start",
    "secret",
    "shown",
    "done",
  ]);
  expect(shown.body.data.edges).toContainEqual({ source: "secret", target: "shown", handle: "out" });
  for (const one of shown.body.data.nodes) {
    expect(one).toMatchObject({ status: "COMPLETED", startedAt: expect.any(String) });
    expect("output" in one || "input" in one).toBe(one.nodeKey === "shown");
  }
  expect(JSON.stringify(shown.body)).not.toMatch(/canary/);
  expect(JSON.stringify(shown.body)).toContain("alert");
  expect(shown.headers.get("cache-control")).toBe("no-store");
  expect(shown.headers.get("referrer-policy")).toBe("no-referrer");
});

it("is a plain page for a browser, in which nothing of the run is code", async () => {
  const { url } = (await share({ reveal: ["shown"] })).body.data;
  for (const accept of ["text/html,application/xhtml+xml,application/json;q=0.9", "*/*"]) {
    const page = await service.get(pathOf(url), undefined, { accept });
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(page.headers.get("content-security-policy")).toContain("require-trusted-types-for 'script'");
    expect(page.body).not.toMatch(/<script|canary/);
    expect(page.body).toContain("&lt;script&gt;alert(");
    expect(page.body).toContain("Completed");
  }
});

it("shows a little of a large value, counts the rest, and gives all of it as a file", async () => {
  const large = {
    text: NASTY,
    word: "w".repeat(1_000_000),
    list: Array.from({ length: 5_000 }, (_, at) => ({ at, [NASTY]: NASTY })),
    deep: JSON.parse(`${"[".repeat(60)}${"]".repeat(60)}`),
  };
  await service.flow("flow_large", chain(node("shown", "set", { values: { large: "{{ data }}" } })));
  const largeRun = await service.begin("flow_large", { payload: { data: large } });
  await service.untilEnd(largeRun);
  const { url } = (await share({ reveal: ["shown"] }, service.key, largeRun)).body.data;
  const german = { accept: "text/html", "accept-language": "de" };
  const page = await service.get(pathOf(url), undefined, german);
  const text = page.body as unknown as string;
  expect(text.length).toBeLessThan(200_000);
  expect(text).not.toMatch(/<script/);
  expect(text).toContain("998.000 weitere Zeichen");
  expect(text).toContain("4.900 weitere");
  const file = await service.get(`${pathOf(url)}?download=json`, undefined, german);
  expect(file.headers.get("content-disposition")).toBe(`attachment; filename="${largeRun}.json"`);
  const shown = file.body.data.nodes.find(({ nodeKey }: { nodeKey: string }) => nodeKey === "shown");
  expect(shown.output.large).toEqual(large);
});

it("says on a page, to a person, that a link does not work any more", async () => {
  const { url } = (await share({})).body.data;
  for (const path of [`${pathOf(url)}x`, `/app/resume/${runId}/${"x".repeat(43)}`]) {
    const page = await service.get(path, undefined, { accept: "text/html", "accept-language": "de" });
    expect(page.status).toBe(404);
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(page.headers.get("content-security-policy")).toContain("require-trusted-types-for 'script'");
    expect(page.body).toContain("Link nicht gefunden");
  }
});

it("writes every view down, with where it came from", async () => {
  const { id, url } = (await share({})).body.data;
  const before = (await views()).length;
  await service.get(pathOf(url));
  await service.get(pathOf(url), undefined, JSON_ONLY);
  expect((await views()).slice(before)).toEqual(
    Array.from({ length: 2 }, () => ({ via: "link", via_id: id, target: runId, address: "127.0.0.1" })),
  );
});

it("shows nothing any more once it is revoked, expired, of a suspended organization, or wrong in any way", async () => {
  const { pool } = service.database;
  const revoked = (await share({})).body.data;
  const ended = await service.send("DELETE", `/manage/runs/${runId}/share/${revoked.id}`, {
    key: service.key,
  });
  expect(ended).toMatchObject({ status: 200, body: { data: { id: revoked.id } } });
  const again = await service.send("DELETE", `/manage/runs/${runId}/share/${revoked.id}`, {
    key: service.key,
  });
  expect(again.body).toEqual(ended.body);
  const expired = (await share({})).body.data;
  await pool.query(`UPDATE run_shares SET expires_at = now() - interval '1 second' WHERE id = $1`, [
    expired.id,
  ]);
  const good = (await share({})).body.data;
  const path = pathOf(good.url);
  const wrong = [
    pathOf(revoked.url),
    pathOf(expired.url),
    `${path}x`,
    path.slice(0, -1),
    path.replace(good.id, revoked.id),
    path.replace(good.id, `share_${"z".repeat(24)}`),
    path.replace(good.id, "nonsense"),
  ];
  const seen = (await views()).length;
  const answers = new Set<string>();
  for (const one of wrong) {
    const { status, body } = await service.get(one, undefined, JSON_ONLY);
    answers.add(JSON.stringify({ status, body }));
  }
  await pool.query(`UPDATE organizations SET suspended = true WHERE id = 'org_run'`);
  const { status, body } = await service.get(path, undefined, JSON_ONLY);
  answers.add(JSON.stringify({ status, body }));
  await pool.query(`UPDATE organizations SET suspended = false WHERE id = 'org_run'`);
  expect([...answers].map((text) => JSON.parse(text))).toMatchObject([
    { status: 404, body: { code: "link_not_found" } },
  ]);
  expect((await views()).length).toBe(seen);
  expect((await service.get(path)).status).toBe(200);
});

it("is made and ended by members of the organization alone, and both are audited", async () => {
  const [member, viewer, other] = await Promise.all([
    keyOf("org_run", "mia"),
    keyOf("org_run", "vera"),
    keyOf("org_other", "otto"),
  ]);
  expect((await share({}, viewer)).status).toBe(403);
  expect((await share({}, other)).body.code).toBe("run_not_found");
  const { id } = (await share({ reveal: ["shown"] }, member)).body.data;
  const end = (key: string, shareId = id) =>
    service.send("DELETE", `/manage/runs/${runId}/share/${shareId}`, { key });
  expect((await end(viewer)).status).toBe(403);
  expect((await end(other)).status).toBe(404);
  expect((await end(member, `share_${"z".repeat(24)}`)).body.code).toBe("link_not_found");
  expect((await end(member)).status).toBe(200);
  const { rows } = await service.database.pool.query(
    `SELECT action, user_id FROM audit_entries WHERE after->>'shareId' = $1 ORDER BY id`,
    [id],
  );
  expect(rows).toEqual([
    { action: "run.share", user_id: "mia" },
    { action: "run.unshare", user_id: "mia" },
  ]);
});

it("keeps no token, and refuses what it could not keep", async () => {
  const { url } = (await share({})).body.data;
  const token = pathOf(url).split("/").at(-1)!;
  const { rows } = await service.database.pool.query(`SELECT s::text AS text FROM run_shares s`);
  expect(rows.map(({ text }) => text).join()).not.toContain(token);
  for (const body of [
    { expiresIn: "91d" },
    { expiresIn: "0s" },
    { expiresIn: 7 },
    { reveal: "shown" },
    { reveal: ["nowhere"] },
    { reveal: Array.from({ length: 101 }, () => "shown") },
    { revael: ["shown"] },
  ])
    expect({ body, status: (await share(body)).status }).toEqual({ body, status: 400 });
  expect((await share({ reveal: ["shown[3]"] })).status).toBe(201);
});

it("is there on the command line", async () => {
  const env = { MILLRACE_URL: service.address, MILLRACE_API_KEY: service.key };
  const name = runId.replace("run_", "queue_");
  const made = await terminal.json(`runs share ${name} --reveal shown --expires 2h`, env);
  expect((await service.get(pathOf(made.url))).status).toBe(200);
  expect((await terminal.run(`runs share ${name}`, env)).stdout).toMatch(
    /\/app\/shared\/share_\w+\/\w+\n {2}until /,
  );
  expect((await terminal.run(`runs unshare ${name} ${made.id}`, env)).stdout).toContain(
    "shows nothing any more",
  );
  expect((await service.get(pathOf(made.url))).status).toBe(404);
});
