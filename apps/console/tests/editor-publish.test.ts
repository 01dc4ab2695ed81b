import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { chain, node } from "../../../packages/server/tests/support/runs-flows.ts";
import { type RunTestService, startRunService } from "../../../packages/server/tests/support/runs-service.ts";
import { addKey } from "../../../packages/server/tests/support/workspace.ts";
import { findBarriers, launchBrowser, overflows, withBrowser } from "./support/browser.ts";
import { signedIn } from "./support/workspace.ts";

withBrowser("publishing from the editor", () => {
  let service: RunTestService;
  let ownerKey: string;
  let browser: Browser;
  let receiver: Server;
  let calls = 0;
  beforeAll(async () => {
    receiver = createServer((_request, response) => {
      calls += 1;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ id: "ch_1", token: "tok-very-secret" }));
    }).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    [service, browser] = await Promise.all([startRunService({ concurrency: 20 }), launchBrowser()]);
    const { pool } = service.database;
    ownerKey = (await addKey(pool, { organizationId: "org_run", userId: "rosa", role: "owner" })).key;
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    receiver?.close();
  });

  const manage = async (method: string, path: string, body?: object) => {
    const answer = await service.send(method, path, { key: ownerKey, body });
    expect([path, answer.status < 300, answer.body]).toEqual([path, true, answer.body]);
    return answer.body.data;
  };
  const publishDialog = async (page: Page) => {
    await page.getByRole("button", { name: "Publish" }).click();
    return page.getByRole("dialog", { name: "Publish the draft" });
  };

  it("goes from a template to a version that requires its tests, and back to the one before", async () => {
    const { page, context, faults } = await signedIn(browser, { service, ownerKey });
    await page.goto("/console/templates");
    await page.getByLabel("Search templates").fill("currency");
    await page
      .getByRole("button", { name: /^Use this template/ })
      .first()
      .click();
    await page.waitForURL(/\/flows\/flow_[a-z0-9_]+\/edit/);
    const flowId = /flows\/([^/]+)\/edit/.exec(page.url())![1]!;
    let dialog = await publishDialog(page);
    await dialog.getByText("This is the first version.").waitFor();
    await dialog.getByText(/tests pass/).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByLabel("Note").fill("from a template");
    await dialog.getByRole("button", { name: "Publish" }).click();
    await page.getByText(/Published as/).waitFor();
    await page.getByRole("tab", { name: "Tests" }).click();
    await page.getByLabel("Publish only where these tests pass").check();
    dialog = await publishDialog(page);
    await dialog.getByText(/requireTests/).waitFor();
    await dialog.getByRole("button", { name: "Publish" }).click();
    await dialog.waitFor({ state: "detached" });
    const [second, first] = (await manage("GET", `/manage/flows/${flowId}/versions`)).data;
    expect([second.active, first.note]).toEqual([true, "from a template"]);
    await page.goto(`/console/flows/${flowId}`);
    await page.getByRole("button", { name: "Roll back" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Roll back" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect((await manage("GET", `/manage/flows/${flowId}/versions`)).data).toHaveLength(3);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("goes from nothing to a run", async () => {
    const { page, context, faults } = await signedIn(browser, { service, ownerKey });
    await page.goto("/console/flows");
    await page.getByRole("button", { name: "New flow" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("From nothing");
    await page.getByRole("button", { name: "Create and edit" }).click();
    await page.waitForURL(/flow_from_nothing\/edit/);
    const dialog = await publishDialog(page);
    await dialog.getByRole("button", { name: "Publish" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.goto("/console/flows/flow_from_nothing");
    await page.getByRole("button", { name: "Start a run" }).click();
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.locator("header [data-status=COMPLETED]").waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it("says what changes and which test fails in the language of the reader", async () => {
    const graph = (text: string) => chain(node("greet", "return", { value: { text } }));
    const flow = "/manage/flows/flow_words";
    await manage("POST", "/manage/flows", { id: "flow_words", name: "Words", graph: graph("one") });
    await manage("POST", `${flow}/publish`, {});
    const document = { kind: "FlowTest", id: "test_words", flowId: "flow_words", name: "Says one" };
    await manage("PUT", `${flow}/tests/test_words`, {
      document: { ...document, expect: { output: { text: "one" } } },
    });
    const { revision } = await manage("GET", `${flow}/draft`);
    await manage("PUT", `${flow}/draft`, { graph: graph("two"), revision });
    for (const [locale, button, changed, failed] of [
      [
        "de",
        "Veröffentlichen",
        "Knoten „greet“: Eingabe „value“ von",
        'text: "one" erwartet, "two" erhalten',
      ],
      ["fr", "Publier", "Nœud « greet »: entrée « value » passe de", 'text : "one" attendu, "two" obtenu'],
    ] as const) {
      const { page, context, faults } = await signedIn(browser, { service, ownerKey }, { locale });
      await page.goto("/console/flows/flow_words/edit");
      await page.getByRole("button", { name: button }).click();
      await page.getByRole("dialog").getByText(changed).waitFor();
      await page.getByRole("dialog").getByText(failed).waitFor();
      expect(faults).toEqual([]);
      await context.close();
    }
  });

  it("shows values of a recorded run, what a change makes of them, and which runs would change", async () => {
    const port = (receiver.address() as AddressInfo).port;
    const graph = (limit: number) => ({
      nodes: [
        ...chain(
          node("large", "if", { condition: `{{ trigger.body.amount > ${limit} }}` }),
          node("charge", "http-request", { url: `http://127.0.0.1:${port}/` }),
        ).nodes,
        node("done", "return", { value: { id: "{{ nodes.charge.body.id }}" } }),
        node("small", "return", { value: { small: true } }),
      ],
      edges: [
        { id: "a", source: "start", target: "large" },
        { id: "b", source: "large", sourceHandle: "true", target: "charge" },
        { id: "c", source: "charge", target: "done" },
        { id: "d", source: "large", sourceHandle: "false", target: "small" },
      ],
    });
    await manage("POST", "/manage/flows", { id: "flow_limit", name: "Limit", graph: graph(100) });
    await manage("POST", "/manage/flows/flow_limit/publish", {});
    const runs = [];
    for (const amount of [50, 120, 250])
      runs.push(await service.begin("flow_limit", { payload: { trigger: { body: { amount } } } }));
    for (const runId of runs) await service.untilStatus(runId, "COMPLETED");
    const before = calls;
    const { revision } = await manage("GET", "/manage/flows/flow_limit/draft");
    await manage("PUT", "/manage/flows/flow_limit/draft", { graph: graph(200), revision });
    const { page, context, faults } = await signedIn(browser, { service, ownerKey });
    await page.goto("/console/flows/flow_limit/edit");
    await page.getByRole("tab", { name: "Values" }).click();
    await page
      .getByRole("button", { name: /^charge/ })
      .first()
      .click();
    await page.getByText("As the run recorded it").waitFor();
    await page.getByText("ch_1").first().waitFor();
    await page.getByRole("tab", { name: "Tests" }).click();
    await page.getByRole("button", { name: "Run back-test" }).click();
    await page.getByText("1 of 3 runs change, 2 do not.").waitFor();
    const table = page.getByRole("table", { name: "" }).filter({ hasText: runs[1]! });
    await table.getByText("is no longer reached").first().waitFor();
    await table.getByText("is not called any more").first().waitFor();
    expect(calls).toBe(before);
    expect(await findBarriers(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("tells of an apply in between, publishes nothing, and loses nothing", async () => {
    const { page, context, faults, expectRefusal } = await signedIn(browser, { service, ownerKey });
    expectRefusal(409, "/publish");
    await page.goto("/console/flows/flow_limit/edit");
    const dialog = await publishDialog(page);
    await dialog.getByText(/input "condition" changed/).waitFor();
    await dialog.locator("[data-difference=changed]").first().waitFor();
    const document = {
      kind: "Flow",
      id: "flow_limit",
      organizationId: "org_run",
      name: "Limit",
      graph: chain(node("done", "return", { value: { applied: true } })),
    };
    await manage("POST", "/manage/documents", {
      files: [{ path: "limit.json", text: JSON.stringify(document) }],
    });
    await dialog.getByRole("button", { name: "Publish" }).click();
    await dialog.getByText(/Somebody else has changed the flow meanwhile/).waitFor();
    const draft = await manage("GET", "/manage/flows/flow_limit/draft");
    expect(draft.saved).toBe(true);
    expect(JSON.stringify(draft.graph)).toContain("> 200");
    expect(faults).toEqual([]);
    await context.close();
  });

  it("leaves a flow that apply brought alone until it is detached, also on a phone", async () => {
    const { page, context, faults } = await signedIn(
      browser,
      { service, ownerKey },
      { width: 390, theme: "dark" },
    );
    await page.goto("/console/flows/flow_limit/edit");
    await page.getByText(/read-only here/).waitFor();
    expect(await page.getByRole("button", { name: "Publish" }).count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
    await page.getByRole("button", { name: "Detach" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Detach" }).click();
    await page.getByRole("button", { name: "Publish" }).waitFor();
    expect((await manage("GET", "/manage/flows/flow_limit/draft")).managedBy).toBe("console");
    expect(faults).toEqual([]);
    await context.close();
  });

  it("saves a run as a test of its flow, without what nobody allowed", async () => {
    const runId = await service.begin("flow_limit", { payload: { trigger: { body: { amount: 777 } } } });
    await service.untilStatus(runId, "COMPLETED");
    const { page, context, faults } = await signedIn(browser, { service, ownerKey });
    await page.goto(`/console/runs/${runId}`);
    await page.getByRole("button", { name: "Save as test" }).click();
    const dialog = page.getByRole("dialog", { name: "Save this run as a test" });
    await dialog.getByLabel("trigger.body.amount").waitFor();
    expect(await dialog.locator("pre").textContent()).not.toContain("777");
    await dialog.getByLabel("trigger.body.amount").check();
    await dialog.getByLabel("Name of the test").fill("A large one");
    await dialog.locator("pre").filter({ hasText: "777" }).waitFor({ state: "attached" });
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Store with the flow" }).click();
    await dialog.getByText("The test is stored with the flow.").waitFor();
    await page.goto("/console/flows/flow_limit");
    await page.getByRole("button", { name: "Run tests" }).click();
    await page.getByText(/tests pass/).waitFor();
    expect((await manage("GET", "/manage/flows/flow_limit/tests")).data[0].name).toBe("A large one");
    expect(faults).toEqual([]);
    await context.close();
  });
});
