import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { chain, node } from "../../support/runs-flows.ts";
import { deploy, get, key, outputOf, post, returning, service } from "./support.ts";

describe("a draft", () => {
  const draftOf = (flowId: string) => get(`/manage/flows/${flowId}/draft`);
  const put = (flowId: string, graph: object, revision: number) =>
    service.send("PUT", `/manage/flows/${flowId}/draft`, { key, body: { graph, revision } });

  it("is the version in force until somebody saves another, on top of what he has read", async () => {
    await deploy("flow_d", returning("one"));
    const read = await draftOf("flow_d");
    expect(read).toMatchObject({ saved: false, graph: returning("one") });
    const saved = await put("flow_d", returning("two"), read.revision);
    expect([saved.status, saved.body.data.revision]).toEqual([200, read.revision + 1]);
    const stale = await put("flow_d", returning("three"), read.revision);
    expect([stale.status, stale.body.code, stale.body.data]).toEqual([
      409,
      "draft_changed",
      { revision: read.revision + 1 },
    ]);
    expect(await draftOf("flow_d")).toMatchObject({ saved: true, graph: returning("two"), author: "rosa" });
    expect(await outputOf("flow_d")).toEqual({ text: "one" });
  });

  it("of two who save at once has one winner", async () => {
    await deploy("flow_two", returning("one"));
    const { revision } = await draftOf("flow_two");
    const answers = await Promise.all(
      ["a", "b", "c"].map((text) => put("flow_two", returning(text), revision)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  });

  it("is stale once another version is in force", async () => {
    await deploy("flow_stale", returning("one"));
    const { revision } = await draftOf("flow_stale");
    await deploy("flow_stale", returning("two"));
    expect((await put("flow_stale", returning("three"), revision)).status).toBe(409);
  });

  it("says what is wrong with it, and is published only when nothing is", async () => {
    await deploy("flow_p", returning("one"));
    const broken = chain({ id: "end", type: "retrun", data: {} });
    const { revision } = await draftOf("flow_p");
    await put("flow_p", broken, revision);
    const validation = (await post("/manage/flows/flow_p/draft/validate")).body.data;
    expect(validation).toMatchObject({ valid: false, problems: [{ path: ["nodes", 1] }] });
    const refused = await post("/manage/flows/flow_p/publish");
    expect([refused.status, refused.body.validationErrors]).toEqual([400, validation.errors]);
    expect(
      (await post("/manage/flows/flow_p/draft/validate", { graph: returning("x") })).body.data.valid,
    ).toBe(true);
    await put("flow_p", returning("two"), revision + 1);
    const published = await post("/manage/flows/flow_p/publish", { note: "better", revision: revision + 2 });
    expect(published.status).toBe(200);
    expect(await outputOf("flow_p")).toEqual({ text: "two" });
    expect(await draftOf("flow_p")).toMatchObject({ saved: false, version: published.body.data.version });
    expect((await get("/manage/flows/flow_p/versions")).data[0]).toMatchObject({
      note: "better",
      active: true,
    });
  });

  it("keeps notes on the canvas, which make no other version and come out as documents", async () => {
    const version = await deploy("flow_n", returning("one"));
    const notes = [
      { id: "why", text: "Ask Ada\nfirst", position: { x: 10, y: -20 }, width: 240, height: 90 },
    ];
    const { revision } = await draftOf("flow_n");
    await put("flow_n", { ...returning("one"), notes }, revision);
    const diff = await get(`/manage/flows/flow_n/versions/${version}/diff/draft`);
    expect(diff).toMatchObject({ runsAlike: true, changes: [] });
    const published = await post("/manage/flows/flow_n/publish");
    expect(published.body.data).toMatchObject({ version, previous: version });
    expect((await get(`/manage/flows/flow_n/versions/${version}`)).graph.notes).toEqual(notes);
    const exported = parseAllDocuments((await service.get("/manage/documents", key)).body as string);
    const document = exported.map((one) => one.toJS()).find(({ id }) => id === "flow_n");
    expect(document.graph.notes).toEqual(notes);
    const files = [{ path: "n.json", text: JSON.stringify(document) }];
    const [applied] = (await post("/manage/documents", { files })).body.data.documents;
    expect(applied).toMatchObject({ id: "flow_n", version });
    expect(await outputOf("flow_n")).toEqual({ text: "one" });
  });

  it("keeps what the document says beside its graph, and publish, diff and rollback carry it", async () => {
    const input = { type: "object", required: ["name"], properties: { name: { type: "string" } } };
    const first = await deploy("flow_s", returning("one"), { tool: { description: "Greets." } });
    const { revision } = await draftOf("flow_s");
    expect(await draftOf("flow_s")).toMatchObject({
      saved: false,
      settings: { tool: { description: "Greets." } },
    });
    const save = (body: object) =>
      service.send("PUT", "/manage/flows/flow_s/draft", { key, body: { graph: returning("two"), ...body } });
    expect((await save({ revision })).status).toBe(200);
    expect((await draftOf("flow_s")).settings).toEqual({ tool: { description: "Greets." } });
    expect((await save({ settings: { input, onFailure: "flow_none" }, revision: revision + 1 })).status).toBe(
      200,
    );
    const refused = await post("/manage/flows/flow_s/publish");
    expect([refused.status, refused.body.validationErrors]).toEqual([
      400,
      [expect.stringContaining('onFailure names the flow "flow_none"')],
    ]);
    expect((await post("/manage/flows/flow_s/draft/validate", { settings: { input } })).body.data.valid).toBe(
      true,
    );
    const bad = { settings: { input: { type: "strnig" } } };
    expect((await post("/manage/flows/flow_s/draft/validate", bad)).body.data.valid).toBe(false);
    expect((await save({ settings: { inptu: input }, revision: revision + 2 })).body.issues[0].path).toEqual([
      "settings",
      "inptu",
    ]);
    await save({ settings: { input }, revision: revision + 2 });
    const diff = await get(`/manage/flows/flow_s/versions/${first}/diff/draft`);
    expect(diff.changes.slice(0, 2)).toMatchObject([
      { what: "setting", id: "input", change: "added", text: expect.stringContaining("input was set to") },
      { what: "setting", id: "tool", change: "removed", text: expect.stringContaining("tool was removed") },
    ]);
    const { version } = (await post("/manage/flows/flow_s/publish")).body.data;
    expect((await get(`/manage/flows/flow_s/versions/${version}`)).settings).toEqual({ input });
    expect((await service.trigger("flow_s")).status).toBe(400);
    await post("/manage/flows/flow_s/rollback", { version: first });
    expect(await outputOf("flow_s")).toEqual({ text: "one" });
    const back = await get("/manage/flows/flow_s/draft");
    expect(back.settings).toEqual({ tool: { description: "Greets." } });
  });

  it("of a document that would not run keeps all of it", async () => {
    const broken = { graph: chain({ id: "end", type: "retrun", data: {} }), tool: { description: "Later." } };
    const document = { kind: "Flow", id: "flow_kept_draft", organizationId: "org_run", name: "K", ...broken };
    const files = [{ path: "k.json", text: JSON.stringify(document) }];
    await post("/manage/documents", { files, draft: true });
    const draft = await draftOf("flow_kept_draft");
    expect(draft).toMatchObject({ saved: true, settings: { tool: broken.tool } });
    await put("flow_kept_draft", returning("one"), draft.revision);
    const { version } = (await post("/manage/flows/flow_kept_draft/publish")).body.data;
    expect((await get(`/manage/flows/flow_kept_draft/versions/${version}`)).settings).toEqual({
      tool: broken.tool,
    });
  });

  it("is not published where another one was saved meanwhile", async () => {
    await deploy("flow_q", returning("one"));
    const { revision } = await draftOf("flow_q");
    await put("flow_q", returning("two"), revision);
    const answer = await post("/manage/flows/flow_q/publish", { revision });
    expect([answer.status, answer.body.data.revision]).toEqual([409, revision + 1]);
    expect(await outputOf("flow_q")).toEqual({ text: "one" });
  });

  it("with unknown keys, or what cannot be stored, is 400 with the path", async () => {
    await deploy("flow_r", returning("one"));
    const unknown = await put("flow_r", { nodes: [{ id: "a", type: "set", daat: {} }], edges: [] }, 1);
    expect([unknown.status, unknown.body.issues]).toEqual([
      400,
      [{ path: ["graph", "nodes", 0, "daat"], message: 'unknown key "daat"; did you mean "data"?' }],
    ]);
    const misspelt = await post("/manage/flows/flow_r/draft/validate", {
      graph: chain(node("a", "template", { txet: "x", text: "y" })),
    });
    expect(misspelt.body.data.problems[0]).toEqual({
      path: ["nodes", 1, "data", "inputs", "txet"],
      message: 'unknown input "txet"; did you mean "text"?',
    });
  });
});
