import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { copySelection, pasteText } from "../src/pages/editor/clipboard.ts";
import { readText } from "../src/pages/editor/document.ts";
import type { Flow } from "../src/pages/editor/flow.ts";
import { keysOf, noteKey, notesOf } from "../src/pages/editor/notes.ts";
import { addNotes, changeNote, removeSelected } from "../src/pages/editor/operations/notes.ts";
import { createEditor, textOf } from "../src/pages/editor/store.ts";
import { findBarriers, withBrowser } from "./support/browser.ts";
import { type Graph, savedOn, useEditorService } from "./support/editor.ts";

const note = (id: string, text: string, y = 0) => ({ id, text, position: { x: 300, y } });
const flow: Flow = {
  graph: {
    nodes: [
      { id: "start", type: "start", data: {} },
      { id: "a", type: "set", data: {} },
    ],
    edges: [{ id: "e1", source: "start", target: "a" }],
  },
};

describe("notes on the canvas", () => {
  it("are added under ids of their own, changed, removed together with nodes, and leave nothing behind", () => {
    const { ids, operation } = addNotes(flow, [note("note", "one"), note("note", "two")]);
    expect(ids).toEqual(["note", "note_2"]);
    const added = operation(flow);
    expect(keysOf(added)).toEqual(["start", "a", "note:note", "note:note_2"]);
    const changed = changeNote("note", { text: "three", width: 400 })(added);
    expect(notesOf(changed)[0]).toEqual({ ...note("note", "three"), width: 400 });
    expect(changeNote("note", { text: "three" })(changed)).toBe(changed);
    expect(changeNote("nobody", { text: "x" })(changed)).toBe(changed);
    const left = removeSelected(["a", noteKey("note")])(changed);
    expect(keysOf(left)).toEqual(["start", "note:note_2"]);
    expect(removeSelected([noteKey("note"), noteKey("note_2")])(added)).toEqual(flow);
    expect(removeSelected(["nobody", "note:nobody"])(added)).toBe(added);
  });

  it("are a part of undo, selection and clipboard, beside a node of the same name", () => {
    const named: Flow = { graph: { ...flow.graph, notes: [note("a", "why")] } };
    const editor = createEditor({ flowId: "flow_x", flow: named, revision: 1 });
    const state = () => editor.getState();
    state().select(["a", noteKey("a")]);
    const copied = copySelection(editor)!;
    state().change(removeSelected([noteKey("a")]));
    expect(state().selection).toEqual(["a"]);
    state().undo();
    expect(notesOf(state().flow)).toEqual([note("a", "why")]);
    expect(pasteText(editor, copied)).toBe(true);
    expect(state().selection).toEqual(["a_2", noteKey("a_2")]);
    expect(notesOf(state().flow)[1]).toEqual({ id: "a_2", text: "why", position: { x: 340, y: 40 } });
    state().undo();
    expect(state().flow).toEqual(named);
    const other = createEditor({ flowId: "flow_y", flow, revision: 1 });
    other.getState().change(removeSelected(["a"]));
    expect(pasteText(other, copied.replace('"text": "why"', '"text": 1'))).toBe(false);
    expect(
      pasteText(other, JSON.stringify({ millrace: "nodes", nodes: [], edges: [], notes: [note("n", "x")] })),
    ).toBe(true);
    expect(keysOf(other.getState().flow)).toEqual(["start", "note:n"]);
  });

  it("stand in the text, with comments kept, and what cannot be shown is said by line", () => {
    const text = `graph:
  nodes: [{ id: start, type: start }]
  edges: []
  notes: # for people
    - { id: why, text: Because, position: { x: 1, y: 2 } } # kept
`;
    const editor = createEditor({ flowId: "flow_x", flow: readText(text).flow!, revision: 1 });
    editor.getState().type(text);
    editor.getState().change(changeNote("why", { text: "Therefore" }));
    expect(textOf(editor.getState())).toBe(text.replace("Because", "Therefore"));
    editor.getState().change(removeSelected([noteKey("why")]));
    expect(textOf(editor.getState())).not.toContain("notes");
    for (const notes of ["1", "[{ text: x, position: { x: 1, y: 1 } }]", "[{ id: a, text: x }]", "[1]"])
      expect(readText(text.replace(/notes:[^]*/, `notes: ${notes}\n`)).faults, notes).toMatchObject([
        { line: 4 },
      ]);
  });
});

const notesIn = (graph: Graph) =>
  (graph as Graph & { notes?: { text: string; width?: number; position: { x: number } }[] }).notes ?? [];

withBrowser("notes in the editor", () => {
  const { newFlow, draftOf, open } = useEditorService();
  const steps = [
    { id: "check", type: "if", data: { inputs: { condition: "{{ true }}" } } },
    { id: "no", type: "set", data: { inputs: { values: { a: 2 } } } },
    { id: "yes", type: "set", data: { inputs: { values: { a: 1 } } } },
  ];
  const edges = [
    { id: "e1", source: "start", target: "check" },
    { id: "e2", source: "check", sourceHandle: "false", target: "no" },
    { id: "e3", source: "check", sourceHandle: "true", target: "yes" },
  ];
  const saved = async (page: Page, flowId: string) => {
    await savedOn(page);
    return notesIn((await draftOf(flowId)).graph);
  };

  it("are written, moved, made larger, copied and removed by mouse", async () => {
    const flowId = await newFlow("flow_notes", steps, edges);
    const { page, context, faults } = await open(flowId, "?pane=canvas");
    // The first way out leads to the left, as its handle does, in whatever order the document names them.
    const left = async (name: string) => (await page.getByRole("group", { name }).boundingBox())!.x;
    expect(await left("yes, set")).toBeLessThan(await left("no, set"));
    await page.getByRole("button", { name: "Add a note" }).click();
    await page.getByRole("textbox", { name: "Note" }).fill("Ask Ada\nbefore this");
    const sticky = page.getByRole("group", { name: "Note: Ask Ada" });
    await expect.poll(async () => (await saved(page, flowId))[0]?.text).toBe("Ask Ada\nbefore this");
    const [before] = await saved(page, flowId);
    const box = (await sticky.boundingBox())!;
    await page.mouse.move(box.x + 20, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 80, box.y + box.height / 2 + 30, { steps: 4 });
    await page.mouse.up();
    await expect
      .poll(async () => (await saved(page, flowId))[0]!.position.x)
      .toBeGreaterThan(before!.position.x);
    const corner = (await page.locator(".react-flow__resize-control").boundingBox())!;
    await page.mouse.move(corner.x + corner.width / 2, corner.y + corner.height / 2);
    await page.mouse.down();
    await page.mouse.move(corner.x + 50, corner.y + 40, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => (await saved(page, flowId))[0]!.width).toBeGreaterThan(220);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await expect.poll(() => saved(page, flowId)).toEqual([]);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(async () => (await saved(page, flowId)).length).toBe(1);
    await page.getByRole("tab", { name: "YAML" }).click();
    await page.getByText("before this").first().waitFor();
    // The places of nodes are still nobody's: a note alone was moved.
    expect((await draftOf(flowId)).graph.nodes.every((node) => !("position" in node))).toBe(true);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("are written, sized and removed by keyboard in the outline, at the width of a phone", async () => {
    const flowId = await newFlow("flow_note_keys", steps, edges);
    const { page, context, faults } = await open(flowId, "", { width: 390, height: 844 });
    await page.locator("#editor-view").focus();
    await page.keyboard.press("n");
    await page.getByRole("textbox", { name: "Note" }).waitFor();
    await page.keyboard.type("By keyboard");
    for (let at = 0; at < 3; at++) await page.keyboard.press("Tab");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("150");
    await page.keyboard.press("Enter");
    await expect
      .poll(async () => (await saved(page, flowId))[0])
      .toMatchObject({ text: "By keyboard", width: 150 });
    await page.getByRole("button", { name: "Back" }).press("Enter");
    const row = page.getByRole("list", { name: "Notes" }).getByRole("button", { name: "By keyboard" });
    await row.focus();
    expect(await row.getAttribute("aria-pressed")).toBe("true");
    expect(await findBarriers(page)).toEqual([]);
    await row.press("Delete");
    await expect.poll(() => saved(page, flowId)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });
});
