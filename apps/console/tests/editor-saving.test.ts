import { expect, it, vi } from "vitest";
import { checkLive } from "../src/pages/editor/check-live.ts";
import type { Flow } from "../src/pages/editor/flow.ts";
import { keepSaved } from "../src/pages/editor/keep-saved.ts";
import { addNode } from "../src/pages/editor/operations/nodes.ts";
import { setSetting } from "../src/pages/editor/operations/set-field.ts";
import { createEditor } from "../src/pages/editor/store.ts";

const empty: Flow = { graph: { nodes: [], edges: [] } };
const add = (id: string) => addNode({ id, type: "set" });

/** What a service does with drafts: one revision after the other. */
function draftService(start: Flow) {
  const kept = { flow: start, revision: 1, saves: 0 };
  return {
    kept,
    service: {
      save: async (flow: Flow, revision: number) => {
        if (revision !== kept.revision) throw new Error("stale");
        kept.flow = flow;
        kept.saves += 1;
        return ++kept.revision;
      },
      read: async () => ({ flow: kept.flow, revision: kept.revision }),
      isStale: (error: unknown) => (error as Error).message === "stale",
      isPassing: () => false,
    },
  };
}

function open(flow = empty) {
  const { kept, service } = draftService(flow);
  const editor = createEditor({ flowId: "flow_a", flow, revision: 1 });
  return { kept, service, editor, saving: keepSaved(editor, service, 1) };
}

it("saves what was changed last, once for many changes", async () => {
  const { kept, editor, saving } = open();
  for (let at = 0; at < 20; at++) editor.getState().change(add(`n${at}`));
  await expect.poll(() => editor.getState().saved).toBe("saved");
  expect(kept.flow).toBe(editor.getState().flow);
  expect(kept.saves).toBe(1);
  expect(editor.getState().revision).toBe(2);
  saving.stop();
});

it("keeps both where somebody else was faster, and saves neither over the other until one is chosen", async () => {
  const { kept, service, editor, saving } = open();
  const other = createEditor({ flowId: "flow_a", flow: empty, revision: 1 });
  const otherSaving = keepSaved(other, service, 1);
  other.getState().change(add("theirs"));
  await expect.poll(() => other.getState().saved).toBe("saved");
  const theirs = kept.flow;
  editor.getState().change(add("mine"));
  await expect.poll(() => editor.getState().saved).toBe("conflict");
  editor.getState().change(add("more"));
  await saving.flush();
  expect(kept.flow).toBe(theirs);
  expect(editor.getState().conflict).toEqual({ flow: theirs, revision: 2 });

  // Theirs is taken, and mine can be had back.
  editor.getState().take(theirs, 2);
  expect(editor.getState()).toMatchObject({ saved: "saved", revision: 2, flow: theirs });
  editor.getState().undo();
  await expect.poll(() => kept.flow.graph.nodes.map(({ id }) => id)).toEqual(["mine", "more"]);

  // The other one still knows revision 2, and keeps its own on purpose.
  other.getState().change(add("again"));
  await expect.poll(() => other.getState().saved).toBe("conflict");
  const { revision } = other.getState().conflict!;
  other.getState().report({ revision, saved: "unsaved", conflict: undefined });
  await expect.poll(() => kept.flow.graph.nodes.map(({ id }) => id)).toEqual(["theirs", "again"]);
  saving.stop();
  otherSaving.stop();
});

it("takes no conflict for one where both say the same", async () => {
  const { kept, editor, saving } = open();
  kept.revision = 5;
  kept.flow = setSetting("onFailure", "flow_b")(empty);
  editor.getState().change(setSetting("onFailure", "flow_b"));
  await expect.poll(() => editor.getState().saved).toBe("saved");
  expect(editor.getState().revision).toBe(5);
  saving.stop();
});

it("says why it could not save, and saves with the next change", async () => {
  const { kept, service, editor, saving } = open();
  const refused = vi.spyOn(service, "save").mockRejectedValueOnce(new Error("refused"));
  editor.getState().change(add("a"));
  await expect.poll(() => editor.getState().saveError).toBeInstanceOf(Error);
  expect(editor.getState().saved).toBe("unsaved");
  editor.getState().change(add("b"));
  await expect.poll(() => editor.getState().saved).toBe("saved");
  expect(refused).toHaveBeenCalledTimes(2);
  expect(kept.flow.graph.nodes).toHaveLength(2);
  expect(editor.getState().saveError).toBeUndefined();
  saving.stop();
});

it("saves nothing of what may only be read", async () => {
  const { service, kept } = draftService(empty);
  const editor = createEditor({ flowId: "flow_a", flow: empty, revision: 1, isReadOnly: true });
  const saving = keepSaved(editor, service, 1);
  editor.getState().change(add("a"));
  editor.getState().type("graph: { nodes: [], edges: [] }");
  await saving.flush();
  expect(editor.getState().flow).toBe(empty);
  expect(kept.saves).toBe(0);
  saving.stop();
});

it("undoes a word at once, a change of another field on its own, and documents only", () => {
  const editor = createEditor({ flowId: "flow_a", flow: empty, revision: 1 });
  const { change, undo, redo, select } = editor.getState();
  for (const text of ["H", "He", "Hey"]) change(setSetting("tool", { description: text }), "tool");
  change(setSetting("onFailure", "flow_b"), "onFailure");
  change(add("a"));
  select(["a"]);
  undo();
  expect(editor.getState().selection).toEqual([]);
  undo();
  expect(editor.getState().flow).toMatchObject({ tool: { description: "Hey" } });
  undo();
  expect(editor.getState().flow).toEqual(empty);
  redo();
  redo();
  expect(editor.getState().flow).toMatchObject({ onFailure: "flow_b" });
  change(add("b"));
  expect(editor.getState().future).toEqual([]);
});

it("puts each problem at its node, and throws an answer about an older draft away", async () => {
  const editor = createEditor({ flowId: "flow_a", flow: add("a")(empty), revision: 1 });
  const answers: ((value: unknown) => void)[] = [];
  const stop = checkLive(
    editor,
    async (flow) => {
      await new Promise((resolve) => answers.push(resolve));
      const at = flow.graph.nodes.length - 1;
      return { problems: [{ path: ["nodes", at, "data"], message: "is wrong" }], warnings: [] };
    },
    1,
  );
  await expect.poll(() => answers.length).toBe(1);
  editor.getState().change(add("b"));
  await expect.poll(() => answers.length).toBe(2);
  answers[0]!(undefined);
  await Promise.resolve();
  expect(editor.getState().errors).toEqual([]);
  answers[1]!(undefined);
  await expect.poll(() => editor.getState().errors).toMatchObject([{ nodeId: "b", message: "is wrong" }]);
  stop();
});
