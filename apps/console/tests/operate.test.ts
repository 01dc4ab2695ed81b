import { expect, it } from "vitest";
import { makeSignInLink } from "../../../packages/server/src/operations/sessions/make-sign-in-link.ts";
import { chain, node } from "../../../packages/server/tests/support/runs-flows.ts";
import { startGate } from "../../../packages/server/tests/support/runs-gate.ts";
import { overflows } from "./support/browser.ts";
import { HOSTILE } from "./support/hostile.ts";
import { withConsole } from "./support/with-console.ts";

withConsole("what operators do", ({ workspace, visit, visitUnwatched, visitor }) => {
  it("follow the link of the first start, and watch a run that they began", async () => {
    const { service } = workspace();
    const gate = await startGate();
    await service.flow("flow_watched", chain(gate.node("held"), node("last", "set", { values: {} })));
    const link = await makeSignInLink(service.database.pool, service.address);
    const page = await visitor();
    await page.goto(link!.url);
    await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
    await expect.poll(() => page.url()).not.toContain("#");
    await page.goto("/console/flows/flow_watched");
    await page.getByRole("button", { name: "Start a run" }).click();
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByRole("group", { name: /^held, .*Executing/ }).waitFor();
    gate.open();
    await page.getByRole("group", { name: /^last, set, Completed/ }).waitFor();
    await page.locator("header [data-status=COMPLETED]").waitFor();
    await page.getByLabel("Time", { exact: true }).press("Home");
    await page.getByRole("group", { name: /^last, set, Not reached/ }).waitFor();
    await gate.close();
  });

  it("see all nodes of a run whose end was read before it was told", async () => {
    const { service } = workspace();
    const gate = await startGate();
    await service.flow("flow_untold", chain(gate.node("held"), node("last", "set", { values: {} })));
    const runId = await service.begin("flow_untold");
    const page = await visitUnwatched("/console/queue");
    const body = `data: ${JSON.stringify({ type: "update" })}\n\n`;
    await page.route("**/stream?*", (route) => route.fulfill({ contentType: "text/event-stream", body }));
    await page.goto(`/console/runs/${runId}`);
    await page.getByRole("group", { name: /^held, .*Executing/ }).waitFor();
    gate.open();
    await page.getByRole("group", { name: /^last, set, Completed/ }).waitFor();
    await page.context().close();
    await gate.close();
  });

  it("run a schedule now, pause it and let it go on", async () => {
    const page = await visit("/console/schedules");
    const row = page.getByRole("row").filter({ hasText: "nightly" });
    await row.getByText("Running").waitFor();
    await expect.poll(() => row.getByRole("listitem").count()).toBe(5);
    await row.getByRole("button", { name: "Run now" }).click();
    await page.getByText("A run was started.").waitFor();
    await row.getByRole("button", { name: "Pause" }).click();
    await row.getByText("Paused").waitFor();
    await expect.poll(() => row.getByRole("listitem").count()).toBe(0);
    await row.getByRole("button", { name: "Resume" }).click();
    await row.getByText("Running").waitFor();
    await page.goto("/console/runs?trigger=schedule");
    await expect.poll(() => page.locator("[data-row]").count()).toBe(1);
  });

  it("see what changed between two versions, in words and on the graph, and roll back", async () => {
    const [older] = workspace().versions;
    const page = await visit("/console/flows/flow_hostile");
    await page.getByRole("link", { name: "What changed" }).click();
    // The graph is there before what differs in it is known.
    await expect.poll(() => page.locator("[data-difference=added]").count()).toBe(1);
    await page.locator("main li[data-change=added]").first().waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "Roll back" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Roll back" }).click();
    await page.getByRole("row").filter({ hasText: older }).getByText("Active", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Deactivate" }).click();
    await page.getByRole("button", { name: "Activate" }).waitFor();
  });

  it("save filters as a view and come back to it", async () => {
    const page = await visit("/console/runs?flow=flow_failing");
    await page.getByRole("button", { name: "Saved views" }).click();
    await page.getByLabel("Name of the view").fill("Failing ones");
    await page.getByRole("button", { name: "Save view" }).click();
    await page.goto("/console/runs");
    await page.getByRole("button", { name: "Saved views" }).click();
    await page.getByRole("link", { name: "Failing ones" }).click();
    await page.waitForURL(/flow=flow_failing/);
    await page.getByRole("button", { name: "Saved views" }).click();
    await page.getByRole("button", { name: "Remove view: Failing ones" }).click();
    await page.getByRole("link", { name: "Failing ones" }).waitFor({ state: "detached" });
  });

  it("find the filters of a phone behind one button that counts them", async () => {
    const page = await visit("/console/runs?flow=flow_failing&status=FAILED", { width: 390 });
    const fold = page.getByRole("button", { name: "Filters (2)" });
    await fold.waitFor();
    const flow = page.locator("#run-filters select").first();
    expect(await flow.isVisible()).toBe(false);
    await fold.click();
    await flow.selectOption("");
    await page.getByRole("button", { name: "Filters (1)" }).waitFor();
    await page.setViewportSize({ width: 1400, height: 900 });
    await fold.waitFor({ state: "hidden" });
    expect(await flow.isVisible()).toBe(true);
    await page.setViewportSize({ width: 390, height: 900 });
  });

  it("find a row as it is now, far down the list, where it changed while they looked elsewhere", async () => {
    const { service } = workspace();
    const paused = await service.begin("flow_asking");
    await service.untilStatus(paused, "PAUSED");
    // More than one page of the list above it.
    await Promise.all(Array.from({ length: 120 }, () => service.begin("flow_hello")));
    const open = `SELECT id FROM runs WHERE flow_id = 'flow_hello' AND status IN ('WAITING', 'EXECUTING')`;
    await expect.poll(() => service.rows(open)).toEqual([]);
    const page = await visit("/console/runs");
    const row = page.getByRole("row").filter({ hasText: paused });
    const goDown = async () => {
      await page.evaluate(`document.querySelector("[role=rowgroup][tabindex]").scrollTop = 1e9`);
      return row.count();
    };
    await page.locator("[data-row]").first().waitFor();
    await expect.poll(goDown).toBe(1);
    await row.getByText("Paused").waitFor();
    await row.getByRole("link").click();
    await page.locator("header [data-status=PAUSED]").waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "Health" }).click();
    await page.getByRole("heading", { name: "Health", level: 1 }).waitFor();
    await service.resume(paused, { decision: "approved" });
    await service.untilEnd(paused);
    await page.goBack();
    await page.goBack();
    await expect.poll(goDown).toBe(1);
    await row.getByText("Completed").waitFor();
  });

  it("are told while the service cannot be reached, and need not reload once it can", async () => {
    const page = await visitUnwatched("/console/queue");
    await page.getByRole("heading", { name: "The queue is empty" }).waitFor();
    const told = page.getByText("The console keeps trying.");
    await page.context().setOffline(true);
    await told.waitFor();
    await page.context().setOffline(false);
    await told.waitFor({ state: "detached" });
    // The same where the network is there and the service is not.
    await page.route("**/{api,manage}/**", (route) => route.abort());
    await page.route("**/healthz", (route) => route.abort());
    await told.waitFor();
    await page.getByRole("alert").waitFor();
    await page.unrouteAll();
    await told.waitFor({ state: "detached" });
    await page.getByRole("alert").waitFor({ state: "detached" });
    await page.context().close();
  });

  it("go from the palette to the runs with a tag", async () => {
    const { service } = workspace();
    const runId = await service.begin("flow_hello", { tags: ["order:4711"] });
    const page = await visit("/console/queue");
    await page.locator("#main h1").waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("order:4711");
    await page.keyboard.press("Enter");
    await page.getByRole("row").filter({ hasText: runId }).waitFor();
    expect(await page.locator("[data-row]").count()).toBe(1);
  });

  it("are asked before a webhook gets another address, and see why events are not delivered", async () => {
    const page = await visit("/console/webhooks");
    const incoming = page.getByRole("region", { name: "Incoming webhooks" });
    const address = incoming.locator("code").first();
    const before = await address.textContent();
    await incoming.getByRole("button", { name: "New address" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Back" }).click();
    expect(await address.textContent()).toBe(before);
    await incoming.getByRole("button", { name: "New address" }).click();
    await dialog.getByRole("button", { name: "New address" }).click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => address.textContent()).not.toBe(before);
    const endpoints = page.getByRole("region", { name: "Event endpoints" });
    await endpoints.getByRole("link", { name: "Deliveries" }).click();
    const deliveries = page.getByRole("region", { name: "Deliveries: hooks_hostile" });
    await deliveries.getByRole("button", { name: "Send again", exact: true }).first().waitFor();
    await deliveries.getByRole("button", { name: "Resend all that failed" }).click();
    await deliveries.getByText(/^Send again: \d+$/).waitFor();
    await endpoints.getByRole("button", { name: "Signing secret" }).click();
    await dialog.getByText(/^whsec_/).waitFor();
  });

  it("read what was said in a chat that somebody else had", async () => {
    const { service } = workspace();
    const base = "/api/agents/agent_helper/sessions";
    const begun = await service.send("POST", base, { key: service.key, body: { endUserId: "customer" } });
    const { sessionId } = begun.body.data;
    await service.send("POST", `${base}/${sessionId}/messages`, {
      key: service.key,
      body: { message: `Where is it? ${HOSTILE.replaceAll("\u0007", "")}` },
    });
    const page = await visit("/console/agents/agent_helper", { width: 390 });
    await page.getByRole("link", { name: sessionId }).click();
    await page.getByRole("log").getByText("Where is it?").first().waitFor();
    await page.locator("[role=log][aria-busy=false] li[data-by=agent]").waitFor();
    expect(await overflows(page)).toBe(false);
  });

  it("open a megabyte without a space, and a key full of markup, as text that breaks nothing", async () => {
    const { hostile } = workspace().runs;
    const page = await visit(`/console/runs/${hostile}?view=list&node=keep&tab=output`, { width: 390 });
    await page.getByRole("button", { name: /^Open [12]/ }).click();
    await page.getByRole("tabpanel").getByText("onerror").first().waitFor();
    await page
      .getByRole("button", { name: /more characters/ })
      .first()
      .click();
    expect(await overflows(page)).toBe(false);
    expect(await page.evaluate<unknown>("globalThis.broken")).toBeUndefined();
  });

  it("answer by the link alone, on a phone, in their own language, without a session", async () => {
    const { service, links, runs } = workspace();
    const page = await visitor({ width: 390, locale: "tr" });
    await page.goto(links.approval);
    await page.getByRole("heading", { name: "Kararınız gerekiyor" }).waitFor();
    await page.getByRole("button", { name: "Onayla" }).click();
    await page.getByRole("heading", { name: "Teşekkürler" }).waitFor();
    await service.untilStatus(runs.hostile, "COMPLETED");
  });
});
