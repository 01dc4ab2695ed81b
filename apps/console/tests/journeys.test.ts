import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser, withBrowser } from "./support/browser.ts";
import { type ConsoleWorkspace, signedIn, startWorkspace } from "./support/workspace.ts";
import { chain, node } from "../../../packages/server/tests/support/runs-flows.ts";
import { addKey, addUser } from "../../../packages/server/tests/support/workspace.ts";

withBrowser("what people do", () => {
  let workspace: ConsoleWorkspace;
  let browser: Browser;
  beforeAll(async () => {
    [workspace, browser] = await Promise.all([startWorkspace(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await workspace?.service.stop();
  });

  it("watch runs without a reload: a row changes where it stands, new ones wait behind a button", async () => {
    const { page, context, faults } = await signedIn(browser, workspace);
    const { service, runs } = workspace;
    await page.goto("/console/runs?status=PAUSED&status=COMPLETED");
    await page.goto("/console/runs");
    const row = page.getByRole("row").filter({ hasText: runs.paused });
    await row.getByText("Paused").waitFor();
    const place = await row.boundingBox();
    await service.begin("flow_hello");
    await page.getByRole("button", { name: /^\d+ new$/ }).waitFor();
    expect(await row.boundingBox()).toEqual(place);
    await service.send("POST", `/api/runs/${runs.paused}/resume`, {
      key: service.key,
      body: { decision: "approved" },
    });
    await row.getByText("Completed").waitFor();
    await page.getByRole("button", { name: /^\d+ new$/ }).click();
    await page.getByRole("button", { name: /^\d+ new$/ }).waitFor({ state: "detached" });
    workspace = { ...workspace, runs: { ...runs, paused: await service.begin("flow_asking") } };
    await service.untilStatus(workspace.runs.paused, "PAUSED");
    expect(faults).toEqual([]);
    await context.close();
  });

  it("start a flow and see its run to the end", async () => {
    const { page, context, faults } = await signedIn(browser, workspace);
    await page.goto("/console/flows/flow_hello");
    await page.getByRole("button", { name: "Start a run" }).click();
    await page.getByLabel("Body (JSON, may be empty)").fill('{"name":"Grace"}');
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.waitForURL("**/console/runs/run_*");
    await page.getByRole("banner").first().waitFor();
    await page.locator("header [data-status=COMPLETED]").waitFor();
    await page.getByRole("group", { name: /^greet, set, Completed/ }).click();
    await page.getByRole("tabpanel", { name: "Output" }).getByText('"Hello Grace"').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it("find a failed run, understand it, and fork it", async () => {
    const { page, context, faults } = await signedIn(browser, workspace);
    await page.goto("/console/runs?status=FAILED");
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
    await page.getByText(/First divergence|same way/).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it("retry all failed runs at once, with progress", async () => {
    const { page, context, faults } = await signedIn(browser, workspace);
    await page.goto("/console/runs?status=%5B%22FAILED%22%5D&flow=flow_failing");
    await page.getByRole("button", { name: "Retry all shown" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Retry all shown" }).click();
    await page
      .getByRole("dialog")
      .getByText(/^(\d+) of \1 done, 0 skipped, 0 refused$/)
      .waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it("answer an approval on a phone", async () => {
    const { page, context, faults } = await signedIn(browser, workspace, { width: 390, height: 844 });
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await page.getByRole("navigation").getByRole("link", { name: "Approvals" }).click();
    const card = page.getByRole("article").filter({ hasText: "Refund 40 to Ada?" }).first();
    await card.getByLabel("Note (optional)").fill("fine");
    await card.getByRole("button", { name: "Approve" }).click();
    await workspace.service.untilStatus(workspace.runs.paused, "COMPLETED");
    expect(faults).toEqual([]);
    await context.close();
  });

  it("answer an approval by its form, where the run says why it waits", async () => {
    const { service } = workspace;
    const form = {
      type: "object",
      properties: { amount: { type: "integer", title: "Amount" }, fast: { type: "boolean", title: "Fast" } },
      required: ["amount"],
    };
    await service.flow("flow_form", chain(node("ask", "approval", { message: "How much?", form })));
    const runId = await service.begin("flow_form");
    await service.untilStatus(runId, "PAUSED");
    const { page, context, faults } = await signedIn(browser, workspace);
    await page.goto(`/console/runs/${runId}`);
    const card = page.getByRole("article", { name: "How much?" });
    await card.getByLabel("Amount").fill("40");
    await card.getByLabel("Fast").check();
    await card.getByRole("button", { name: "Approve" }).click();
    await service.untilStatus(runId, "COMPLETED");
    const { body } = await service.get(`/manage/runs/${runId}/nodes/ask`, workspace.ownerKey);
    expect(body.data.output.data).toEqual({ amount: 40, fast: true });
    expect(faults).toEqual([]);
    await context.close();
  });

  it("make a key, use it, and revoke it", async () => {
    const { page, context, faults } = await signedIn(browser, workspace);
    await page.goto("/console/keys");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByLabel("Name", { exact: true }).fill("for the test");
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    const key = (await page.getByRole("dialog").locator("code").textContent())!;
    expect((await workspace.service.get("/api/flows", key)).status).toBe(200);
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("button", { name: "Revoke: for the test" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("row").filter({ hasText: "for the test" }).getByText("Revoked").waitFor();
    await expect.poll(async () => (await workspace.service.get("/api/flows", key)).status).toBe(401);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("look, as a viewer, and find nothing to change and no values that are hidden", async () => {
    const { service, runs } = workspace;
    const { pool } = service.database;
    await addUser(pool, "vera", { org_run: "viewer" });
    const { key } = await addKey(pool, { organizationId: "org_run", userId: "vera", role: "viewer" });
    await service.send("PATCH", "/manage/organizations/org_run", {
      key: workspace.ownerKey,
      body: { values: "hidden" },
    });
    const { page, context, faults } = await signedIn(browser, workspace, {}, key);
    await page.getByRole("navigation").getByRole("link", { name: "Flows" }).waitFor();
    expect(await page.getByRole("link", { name: "Keys" }).count()).toBe(0);
    await page.goto(`/console/runs/${runs.completed}?node=greet&tab=output`);
    await page.getByText("The organization hides values from viewers.").waitFor();
    await page.locator("header [data-status=COMPLETED]").waitFor();
    expect(await page.getByText("Hello Ada").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Fork" }).count()).toBe(0);
    await service.send("PATCH", "/manage/organizations/org_run", {
      key: workspace.ownerKey,
      body: { values: "shown" },
    });
    expect(faults).toEqual([]);
    await context.close();
  });

  it("chat with an agent, and find the chat again after a reload", async () => {
    const { page, context, faults } = await signedIn(browser, workspace);
    await page.goto("/console/agents/agent_helper");
    await page.getByRole("button", { name: "Start a chat" }).click();
    await page.getByLabel("Message", { exact: true }).fill("Hello there");
    await page.keyboard.press("Enter");
    await page.getByRole("log").getByText("Hello there").first().waitFor();
    await page.reload();
    await page.locator("[role=log][aria-busy=false] li[data-by=agent]").waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it("go everywhere by keyboard", async () => {
    const { page, context, faults } = await signedIn(browser, workspace);
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
    await page.keyboard.type(workspace.runs.loop);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/runs/${workspace.runs.loop}`);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("sign out, and are asked to sign in again", async () => {
    const { page, context, faults } = await signedIn(browser, workspace);
    await page.getByRole("button", { name: "User menu" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in", level: 1 }).waitFor();
    await page.goto("/console/runs");
    await page.getByRole("heading", { name: "Sign in", level: 1 }).waitFor();
    expect(await page.evaluate<string>("JSON.stringify(localStorage)")).not.toContain("mr_");
    expect(faults).toEqual([]);
    await context.close();
  });
});
