import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { withBrowser } from "./support/browser.ts";
import { edgesOf, savedOn, useEditorService } from "./support/editor.ts";

/** How somebody uses a button. */
type Press = (button: Locator) => Promise<void>;
const byKey: Press = async (button) => {
  await button.focus();
  await button.press("Enter");
};
const byTouch: Press = (button) => button.click();

async function publishOn(page: Page, press: Press): Promise<void> {
  await press(page.getByRole("button", { name: "Publish" }));
  const dialog = page.getByRole("dialog", { name: "Publish the draft" });
  await dialog.getByText("This is the first version.").waitFor();
  await press(dialog.getByRole("button", { name: "Publish" }));
  await dialog.waitFor({ state: "detached" });
}

/** Returns the id of the run, which has completed. */
async function startOn(page: Page, press: Press, flowId: string, body: object): Promise<string> {
  await page.goto(`/console/flows/${flowId}`);
  await press(page.getByRole("button", { name: "Start a run" }));
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").first().focus();
  await page.keyboard.insertText(JSON.stringify(body));
  await press(dialog.getByRole("button", { name: "Start", exact: true }));
  await page.locator("header [data-status=COMPLETED]").waitFor();
  return /\/runs\/(run_[^/?]+)/.exec(page.url())![1]!;
}

withBrowser("building a flow in the editor", () => {
  const { call, newFlow, draftOf, open } = useEditorService();

  /** What every way of building has to end in: it would run, and does what it says. */
  const expectOrderFlow = async (flowId: string, page: Page, press: Press) => {
    const { graph } = await draftOf(flowId);
    expect(graph.nodes.map(({ id, type }) => `${id} ${type}`)).toEqual([
      "start start",
      "sum transform",
      "large if",
      "ask set",
      "done return",
    ]);
    expect(edgesOf(graph)).toEqual([
      "ask done",
      "large false done",
      "large true ask",
      "start sum",
      "sum large",
    ]);
    const checked = await call("POST", `/manage/flows/${flowId}/draft/validate`, {});
    expect(checked).toMatchObject({ valid: true, errors: [] });
    await publishOn(page, press);
    for (const [price, said] of [
      [12, undefined],
      [200, "large"],
    ] as const) {
      const runId = await startOn(page, press, flowId, { lines: [{ price, quantity: 1 }] });
      const { output } = await call("GET", `/api/runs/${runId}`);
      expect(output).toEqual({ total: price, ...(said && { said }) });
    }
  };
  const EXPRESSION = "$sum(trigger.body.lines.(price * quantity))";

  it("goes from nothing to a run by keyboard alone", async () => {
    const flowId = await newFlow("flow_keys");
    const { page, context, faults } = await open(flowId, "?pane=outline");
    const { keyboard } = page;
    const press = async (...keys: string[]) => {
      for (const key of keys) await keyboard.press(key);
    };
    const name = async (id: string) => {
      await page.locator("#editor-side input").first().waitFor();
      await expect
        .poll(() => page.evaluate("document.activeElement?.closest('#editor-side') !== null"))
        .toBe(true);
      await press("Tab", "ControlOrMeta+a");
      await keyboard.type(id);
      await press("Tab");
    };
    /** Out of the form; a list of completions takes the first Escape for itself. */
    const leave = async () => {
      for (let at = 0; at < 3; at++) {
        await press("Escape");
        if (await page.evaluate("document.activeElement?.id === 'editor-view'")) return;
      }
    };
    const add = async (type: string, id: string) => {
      await leave();
      await press("a");
      await page.getByRole("combobox", { name: "Find a node type" }).waitFor();
      await keyboard.type(type);
      await press("Enter");
      await name(id);
    };
    await press("a");
    await page.getByRole("combobox", { name: "Find a node type" }).waitFor();
    await keyboard.type("transform");
    await press("Enter");
    await name("sum");
    await keyboard.type(EXPRESSION);
    await add("if", "large");
    await keyboard.type("{{ nodes.sum.value > 100 }}");
    await add("set", "ask");
    // A row of `values`: its button, then its name and its value.
    await press("Enter");
    await keyboard.type("said");
    await press("Tab");
    await keyboard.type("large");
    await add("return", "done");
    await keyboard.type('{{ {"total": nodes.sum.value, "said": nodes.ask.said} }}');
    // The other way out of the condition, chosen from the list of nodes.
    await leave();
    await page.getByRole("button", { name: /^large/ }).focus();
    await press("Enter", "e");
    await page.getByLabel("Connect to… (false)").focus();
    await keyboard.type("done");
    await expect.poll(async () => (await draftOf(flowId)).graph.edges.length).toBe(5);
    await savedOn(page);
    await expectOrderFlow(flowId, page, byKey);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("goes the same way by the outline alone on a phone", async () => {
    const flowId = await newFlow("flow_phone");
    const { page, context, faults } = await open(flowId, "", { width: 390, height: 844 });
    const outline = page.getByRole("list", { name: "Outline" });
    const side = page.locator("#editor-side");
    const after = async (node: RegExp, type: string, id: string) => {
      await outline.getByRole("button", { name: node }).first().click();
      await outline.getByRole("button", { name: "Insert after" }).click();
      await page.getByRole("combobox", { name: "Find a node type" }).fill(type);
      await page
        .getByRole("option", { name: new RegExp(`^${type}`) })
        .first()
        .click();
      const field = side.getByLabel("Id", { exact: true });
      await field.fill(id);
      await field.press("Enter");
    };
    const back = () => page.getByRole("button", { name: "Back", exact: true }).click();
    await after(/^start/, "transform", "sum");
    await side.getByRole("textbox", { name: /^expression/ }).fill(EXPRESSION);
    await back();
    await after(/^sum/, "if", "large");
    await side.getByRole("textbox", { name: /^condition/ }).fill("{{ nodes.sum.value > 100 }}");
    await back();
    await after(/^large/, "set", "ask");
    await side.getByRole("button", { name: "Add to values" }).click();
    await side.getByLabel("values: name 1").fill("said");
    await side.getByRole("textbox", { name: "values: value of said" }).fill("large");
    await back();
    await after(/^ask/, "return", "done");
    await side
      .getByRole("textbox", { name: /^value/ })
      .fill('{{ {"total": nodes.sum.value, "said": nodes.ask.said} }}');
    await back();
    await outline
      .getByRole("button", { name: /^large/ })
      .first()
      .click();
    await outline.getByRole("button", { name: "Edit" }).click();
    await side.getByLabel("Connect to… (false)").selectOption("done");
    await expect.poll(async () => (await draftOf(flowId)).graph.edges.length).toBe(5);
    await back();
    await savedOn(page);
    await expectOrderFlow(flowId, page, byTouch);
    expect(faults).toEqual([]);
    await context.close();
  });
});
