import { expect, it } from "vitest";
import { chain, joined, node } from "../../../packages/server/tests/support/runs-flows.ts";
import { addKey, addUser } from "../../../packages/server/tests/support/workspace.ts";
import { withConsole } from "./support/with-console.ts";

withConsole("what people do", ({ workspace, visit, visitor }) => {
  it("watch runs without a reload: a row changes where it stands, new ones wait behind a button", async () => {
    const { service } = workspace();
    const paused = await service.begin("flow_asking");
    await service.untilStatus(paused, "PAUSED");
    const page = await visit("/console/runs");
    const row = page.getByRole("row").filter({ hasText: paused });
    await row.getByText("Paused").waitFor();
    const place = await row.boundingBox();
    await service.begin("flow_hello");
    await page.getByRole("button", { name: /^\d+ new$/ }).waitFor();
    expect(await row.boundingBox()).toEqual(place);
    await service.resume(paused, { decision: "approved" });
    await row.getByText("Completed").waitFor();
    await page.getByRole("button", { name: /^\d+ new$/ }).click();
    await page.getByRole("button", { name: /^\d+ new$/ }).waitFor({ state: "detached" });
  });

  it("start a flow and see its run to the end", async () => {
    const page = await visit("/console/flows/flow_hello");
    await page.getByRole("button", { name: "Start a run" }).click();
    await page.getByLabel("Body (JSON, may be empty)").fill('{"name":"Grace"}');
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.waitForURL("**/console/runs/run_*");
    await page.getByRole("banner").first().waitFor();
    await page.locator("header [data-status=COMPLETED]").waitFor();
    await page.getByRole("group", { name: /^greet, set, Completed/ }).click();
    await page.getByRole("tabpanel", { name: "Output" }).getByText('"Hello Grace"').waitFor();
  });

  it("find a failed run, understand it, and fork it", async () => {
    const page = await visit("/console/runs?status=FAILED");
    await page.getByRole("link", { name: "flow_failing" }).first().click();
    await page.getByRole("link", { name: "at check" }).click();
    const shown = page.getByRole("tabpanel", { name: "Error" });
    await shown.getByText("onerror").waitFor();
    await page.keyboard.press("Escape");
    await shown.waitFor({ state: "detached" });
    await page.keyboard.press("f");
    await page.getByRole("dialog", { name: "Fork this run" }).waitFor();
    await page.getByLabel("Begin at").selectOption("start");
    await page.getByLabel("Change", { exact: true }).selectOption("trigger");
    await page.getByLabel("New value (JSON)").fill('{"body":{"corrected":true}}');
    await page.getByRole("button", { name: "Fork", exact: true }).last().click();
    await page.getByText("Forked from").waitFor();
    await page.getByRole("link", { name: "Compare" }).click();
    await page.getByText(/First divergence|same path/).waitFor();
  });

  it("retry all failed runs at once, with progress", async () => {
    const page = await visit("/console/runs?status=%5B%22FAILED%22%5D&flow=flow_failing");
    await page.getByRole("button", { name: "Retry all shown" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Retry all shown" }).click();
    await page
      .getByRole("dialog")
      .getByText(/^(\d+) of \1 done, 0 skipped, 0 refused$/)
      .waitFor();
  });

  it("answer an approval on a phone", async () => {
    const { service, runs } = workspace();
    const page = await visit("/console/runs", { width: 390, height: 844 });
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await page.getByRole("navigation").getByRole("link", { name: "Approvals" }).click();
    const card = page.getByRole("article").filter({ hasText: "Refund 40 to Ada?" }).first();
    await card.getByLabel("Note (optional)").fill("fine");
    await card.getByRole("button", { name: "Approve" }).click();
    await service.untilStatus(runs.paused, "COMPLETED");
  });

  it("answer an approval by its form, where the run says why it waits", async () => {
    const { service, ownerKey } = workspace();
    const form = {
      type: "object",
      properties: { amount: { type: "integer", title: "Amount" }, fast: { type: "boolean", title: "Fast" } },
      required: ["amount"],
    };
    const asking = chain(node("ask", "approval", { message: "How much?", form }));
    await service.flow("flow_form", joined(asking, node("paid", "set", { values: {} }), ["ask", "approved"]));
    const runId = await service.begin("flow_form");
    await service.untilStatus(runId, "PAUSED");
    const page = await visit(`/console/runs/${runId}`);
    await page.locator("svg text", { hasText: /^approved$/ }).waitFor();
    await expect.poll(() => page.locator("path.react-flow__edge-path").count()).toBe(2);
    const card = page.getByRole("article", { name: "How much?" });
    await card.getByLabel("Amount").fill("40");
    await card.getByLabel("Fast").check();
    await card.getByRole("button", { name: "Approve" }).click();
    await service.untilStatus(runId, "COMPLETED");
    const { body } = await service.get(`/manage/runs/${runId}/nodes/ask`, ownerKey);
    expect(body.data.output.data).toEqual({ amount: 40, fast: true });
  });

  it("make a key, use it, and revoke it", async () => {
    const { service } = workspace();
    const page = await visit("/console/keys");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByLabel("Name", { exact: true }).fill("for the test");
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    const key = (await page.getByRole("dialog").locator("code").textContent())!;
    expect((await service.get("/api/flows", key)).status).toBe(200);
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("button", { name: "Revoke: for the test" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("row").filter({ hasText: "for the test" }).getByText("Revoked").waitFor();
    await expect.poll(async () => (await service.get("/api/flows", key)).status).toBe(401);
  });

  it("look, as a viewer, and find nothing to change and no values that are hidden", async () => {
    const { service, runs, ownerKey } = workspace();
    const { pool } = service.database;
    await addUser(pool, "vera", { org_run: "viewer" });
    const { key } = await addKey(pool, { organizationId: "org_run", userId: "vera", role: "viewer" });
    const setValues = (values: "hidden" | "shown") =>
      service.send("PATCH", "/manage/organizations/org_run", { key: ownerKey, body: { values } });
    await setValues("hidden");
    const page = await visit("/console/flows", {}, key);
    await page.getByRole("navigation").getByRole("link", { name: "Flows" }).waitFor();
    expect(await page.getByRole("link", { name: "Keys" }).count()).toBe(0);
    await page.goto(`/console/runs/${runs.completed}?node=greet&tab=output`);
    await page.getByText("The organization hides values from viewers.").waitFor();
    await page.locator("header [data-status=COMPLETED]").waitFor();
    expect(await page.getByText("Hello Ada").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Fork" }).count()).toBe(0);
    await setValues("shown");
  });

  it("chat with an agent, and find the chat again after a reload", async () => {
    const page = await visit("/console/agents/agent_helper");
    await page.getByRole("button", { name: "Start a chat" }).click();
    await page.getByLabel("Message", { exact: true }).fill("Hello there");
    await page.keyboard.press("Enter");
    await page.getByRole("log").getByText("Hello there").first().waitFor();
    await page.reload();
    await page.locator("[role=log][aria-busy=false] li[data-by=agent]").waitFor();
  });

  it("go everywhere by keyboard", async () => {
    const { runs } = workspace();
    const page = await visit("/console/runs");
    await page.locator("#main h1").waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("queue");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Queue", level: 1 }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("f");
    await page.getByRole("heading", { name: "Flows", level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type(runs.loop);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/runs/${runs.loop}`);
  });

  it("sign in with a key, sign out, and are asked to sign in again", async () => {
    const page = await visitor();
    await page.goto("/console/runs?flow=flow_failing");
    await page.getByLabel("With an API key").fill(workspace().ownerKey);
    await page.getByRole("button", { name: "Sign in with key" }).click();
    await page.waitForURL("**/console/runs?flow=flow_failing");
    await page.getByRole("button", { name: "User menu" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in", level: 1 }).waitFor();
    await page.goto("/console/runs");
    await page.getByRole("heading", { name: "Sign in", level: 1 }).waitFor();
    expect(await page.evaluate<string>("JSON.stringify(localStorage)")).not.toContain("mr_");
  });
});
