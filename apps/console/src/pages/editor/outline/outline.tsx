import { type KeyboardEvent, type ReactNode, useMemo, useRef } from "react";
import { useT } from "../../../texts/texts.tsx";
import { Empty } from "../../../ui/notes.tsx";
import { useAdding } from "../adding.tsx";
import { type Flow, isFound, labelOf } from "../flow.ts";
import { handlesOf } from "../node-types.ts";
import { handleOf } from "../operations/insert.ts";
import { removeNodes } from "../operations/nodes.ts";
import { useEditor } from "../use-editor.ts";
import { OutlineItem } from "./outline-item.tsx";
import { OutlineNotes } from "./outline-notes.tsx";
import { outlineOrder } from "./outline-order.ts";
import styles from "./outline.module.css";

interface Props {
  readonly find: string;
  /** The form of the selected node is wanted. */
  readonly onOpen: () => void;
}

/** The flow as a list in the order of execution: everything that the canvas does, for keyboards, screen readers and phones. */
export function Outline({ find, onOpen }: Props): ReactNode {
  const t = useT();
  const flow = useEditor((state) => state.flow);
  const errors = useEditor((state) => state.errors);
  const selection = useEditor((state) => state.selection);
  const select = useEditor((state) => state.select);
  const change = useEditor((state) => state.change);
  const add = useAdding();
  const list = useRef<HTMLUListElement>(null);
  const entries = useMemo(() => outlineOrder(flow), [flow]);
  const ways = useMemo(() => waysOf(flow), [flow]);
  const wanted = find.trim().toLowerCase();
  const shown = entries.filter(({ node }) => isFound(node, wanted));

  const onKeyDown = (event: KeyboardEvent) => {
    const row = (event.target as HTMLElement).closest<HTMLElement>("[data-node]");
    if (!row || !(event.target as HTMLElement).matches("[data-name]")) return;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const id = row.dataset["node"]!;
    if (move) {
      const next = shown[shown.findIndex(({ node }) => node.id === id) + move];
      if (!next) return;
      event.preventDefault();
      select([next.node.id]);
      list.current?.querySelector<HTMLElement>(`[data-node="${next.node.id}"] [data-name]`)?.focus();
    } else if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      const at = shown.findIndex(({ node }) => node.id === id);
      const near = shown[at + 1] ?? shown[at - 1];
      change(removeNodes([id]));
      if (near) {
        select([near.node.id]);
        requestAnimationFrame(() =>
          list.current?.querySelector<HTMLElement>(`[data-node="${near.node.id}"] [data-name]`)?.focus(),
        );
      }
    } else if (event.key === "a" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      add({ after: id });
    }
  };

  return (
    <>
      {flow.graph.nodes.length === 0 ? (
        <Empty title={t("editor.empty")}>
          <button type="button" className="primary" onClick={() => add({})}>
            {t("editor.add")}
          </button>
        </Empty>
      ) : (
        <ul ref={list} className={styles.list} aria-label={t("editor.outline")} onKeyDown={onKeyDown}>
          {shown.map(({ node, depth }) => (
            <OutlineItem
              key={node.id}
              node={node}
              depth={depth}
              ways={ways.get(node.id) ?? NO_WAYS}
              problems={errors.filter(({ nodeId }) => nodeId === node.id).length}
              isSelected={selection.includes(node.id)}
              isAlone={selection.length === 1}
              onOpen={onOpen}
            />
          ))}
          {shown.length === 0 && <li className="muted">{t("palette.none")}</li>}
        </ul>
      )}
      <OutlineNotes wanted={wanted} onOpen={onOpen} />
    </>
  );
}

const NO_WAYS = "";

/** Where each node leads to, in words: `true → Ask, false → Charge`. */
function waysOf(flow: Flow): Map<string, string> {
  const labels = new Map(flow.graph.nodes.map((node) => [node.id, labelOf(node)]));
  const several = new Set(flow.graph.nodes.filter((node) => handlesOf(node).length > 1).map(({ id }) => id));
  const ways = new Map<string, string[]>();
  for (const edge of flow.graph.edges) {
    const handle = handleOf(flow, edge);
    const target = labels.get(edge.target) ?? edge.target;
    const words = several.has(edge.source) || handle !== "out" ? `${handle} → ${target}` : `→ ${target}`;
    ways.set(edge.source, [...(ways.get(edge.source) ?? []), words]);
  }
  return new Map([...ways].map(([id, words]) => [id, words.join(", ")]));
}
