import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { addKey, addUser } from "../../../packages/server/tests/support/workspace.ts";
import { findBarriers, withBrowser } from "./support/browser.ts";
import { edgesOf, savedOn, useEditorService } from "./support/editor.ts";

withBrowser("the editor", () => {
  const { call, newFlow, draftOf, open, signIn, service } = useEditorService();

  it("builds on the canvas by mouse: insert on an edge, connect, drag, copy, remove, undo", async () => {
    const flowId = await newFlow(
      "flow_mouse",
      [
        { id: "a", type: "set", data: { inputs: { values: { n: 1 } } } },
        { id: "b", type: "set", data: { inputs: { values: { n: "{{ nodes.a.n }}" } } } },
      ],
      [{ id: "e1", source: "start", target: "a" }],
    );
    const { page, context, faults } = await open(flowId);
    const node = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
    const edges = async () => edgesOf((await draftOf(flowId)).graph);
    await node("a").waitFor();
    await node("a").locator(".source").dragTo(node("b").locator(".target"));
    await expect.poll(edges).toEqual(["a b", "start a"]);
    await page.getByRole("button", { name: "Insert between start and a" }).click({ force: true });
    await page.getByRole("option", { name: /^wait/ }).click();
    await expect.poll(edges).toEqual(["a b", "start wait", "wait a"]);
    const place = (await node("b").boundingBox())!;
    await page.mouse.move(place.x + 40, place.y + 20);
    await page.mouse.down();
    await page.mouse.move(place.x + 140, place.y + 80, { steps: 5 });
    await page.mouse.up();
    const positions = async () =>
      (await draftOf(flowId)).graph.nodes.map((one) => (one as { position?: object }).position !== undefined);
    await expect.poll(positions).toEqual([true, true, true, true]);
    await node("a").click();
    await page.keyboard.press("Control+c");
    await page.keyboard.press("Control+v");
    const ids = async () => (await draftOf(flowId)).graph.nodes.map(({ id }) => id);
    await expect.poll(ids).toEqual(["start", "a", "b", "wait", "a_2"]);
    await page.keyboard.press("Delete");
    await expect.poll(ids).toEqual(["start", "a", "b", "wait"]);
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await expect.poll(positions).toEqual([false, false, false, false]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("shows canvas, outline and YAML of one state, and the validator's words at the node and its line", async () => {
    const flowId = await newFlow("flow_text");
    const { page, context, faults } = await open(flowId, "?pane=yaml");
    const code = page.getByRole("textbox", { name: "YAML" });
    const write = async (text: string) => {
      await code.click();
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.insertText(text);
    };
    await write(`# Kept.
graph:
  nodes:
    - { id: start, type: start }
    - id: greet # who it is for
      type: set
      data: { inputs: { valus: { n: 1 } } }
  edges:
    - { source: start, target: greet }
`);
    await page.getByRole("button", { name: /^Problems: / }).waitFor();
    await page.locator(".cm-lint-marker-error").first().waitFor();
    await page.getByRole("tab", { name: "Canvas" }).click();
    await page.getByRole("group", { name: /^greet, set, Problems/ }).click();
    await page.getByRole("textbox", { name: "Label" }).fill("Greet Ada");
    await page.getByRole("group", { name: /^Greet Ada, set/ }).waitFor();
    await page.getByRole("tab", { name: "YAML" }).click();
    await expect.poll(() => code.textContent()).toContain("who it is for");
    expect(await code.textContent()).toContain("Greet Ada");
    await write("graph: [");
    await page.getByText(/^Line 1/).waitFor();
    await page.getByRole("tab", { name: "Outline" }).click();
    await page.getByRole("button", { name: /^Greet Ada/ }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    expect(faults).toEqual([]);
    await context.close();
  });

  it("loses nothing where two tabs, or an apply, change the same draft", async () => {
    const flowId = await newFlow("flow_tabs", [
      { id: "a", type: "set", data: { inputs: { values: { n: 1 } } } },
    ]);
    const first = await open(flowId, "?pane=outline&node=a");
    const second = await first.context.newPage();
    first.expectRefusal(409, "/draft");
    await second.goto(`/console/flows/${flowId}/edit?pane=outline&node=a`);
    await savedOn(second);
    const label = (page: Page) => page.getByRole("textbox", { name: "Label" });
    const kept = async () => (await draftOf(flowId)).graph.nodes[1]?.data?.label;
    await label(second).fill("Of the second");
    await expect.poll(kept).toBe("Of the second");
    // A tab behind another is drawn once a second.
    await first.page.bringToFront();
    await label(first.page).fill("Of the first");
    const dialog = first.page.getByRole("dialog", { name: "Somebody else has changed the draft" });
    await dialog.getByText("Of the second").waitFor();
    expect(await dialog.getByText("Of the first").count()).toBe(1);
    expect(await kept()).toBe("Of the second");
    // Nobody goes elsewhere by mistake while it is undecided.
    const away = first.page.getByRole("heading", { level: 1 }).getByRole("link");
    await dialog.getByRole("button", { name: "Decide later" }).click();
    await away.click();
    const leaving = first.page.getByRole("dialog", { name: "Leave with changes that are not saved?" });
    await leaving.getByRole("button", { name: "Back" }).click();
    await first.page.getByRole("button", { name: "Resolve" }).click();
    await dialog.getByRole("button", { name: "Keep mine" }).click();
    await expect.poll(kept).toBe("Of the first");

    // Somebody applies the document meanwhile.
    const { graph } = await draftOf(flowId);
    await call("POST", `/manage/flows/${flowId}/publish`, {});
    graph.nodes[1]!.data!.label = "Of apply";
    const document = { kind: "Flow", id: flowId, organizationId: "org_run", name: "Tabs", graph };
    graph.nodes[1]!.data!.inputs = { values: { n: 2 } };
    await call("POST", "/manage/documents", { files: [{ path: "a.json", text: JSON.stringify(document) }] });
    await label(first.page).fill("Typed meanwhile");
    await dialog.getByText("Of apply").waitFor();
    expect(await kept()).toBe("Of apply");
    await dialog.getByRole("button", { name: "Take theirs" }).click();
    await expect.poll(() => label(first.page).inputValue()).toBe("Of apply");
    await first.page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(kept).toBe("Typed meanwhile");
    await label(first.page).fill("At the last moment");
    await away.click();
    await first.page.waitForURL(/\/flow_tabs$/);
    expect(await kept()).toBe("At the last moment");
    expect(first.faults).toEqual([]);
    await first.context.close();
  });

  it("offers every node type without barriers, and lets a viewer look only", async () => {
    const flowId = await newFlow("flow_looks", [{ id: "call", type: "http-request", data: {} }]);
    const editing = await open(flowId, "?pane=outline");
    await editing.page.getByRole("button", { name: "Add a node" }).click();
    await editing.page.getByRole("option").first().waitFor();
    expect(await findBarriers(editing.page)).toEqual([]);
    expect(editing.faults).toEqual([]);
    await editing.context.close();
    const { pool } = service().database;
    await addUser(pool, "vera", { org_run: "viewer" });
    const { key } = await addKey(pool, { organizationId: "org_run", userId: "vera", role: "viewer" });
    const { page, context } = await signIn(key);
    await page.goto(`/console/flows/${flowId}/edit?node=call`);
    await page.getByText("Read only").waitFor();
    expect(await page.getByRole("button", { name: "Add a node" }).count()).toBe(0);
    await context.close();
  });
});
