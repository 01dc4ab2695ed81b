import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { useT } from "../../texts/texts.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { type NodeTypeDescription, nodeTypes } from "./node-types.ts";
import { insertNode, type Place } from "./operations/insert.ts";
import { lastOpen } from "./outline/outline-order.ts";
import { useEditorStore } from "./use-editor.ts";
import { useNodeWords } from "./node-words.tsx";
import styles from "./adding.module.css";

const AddingContext = createContext<(place: Place) => void>(() => {});

/** Opens the list of node types; the chosen one is put there. */
export function useAdding(): (place: Place) => void {
  return use(AddingContext);
}

/** Everything below may add nodes; the one that was added is selected and its form gets the focus. */
export function AddingProvider({
  children,
  onAdded,
}: {
  children: ReactNode;
  onAdded: () => void;
}): ReactNode {
  const store = useEditorStore();
  const [place, setPlace] = useState<Place>();
  const start = useCallback(
    (where: Place) => {
      const { isReadOnly, faults, flow } = store.getState();
      if (isReadOnly || faults.length > 0) return;
      const isAnywhere = Object.values(where).every((value) => value === undefined);
      setPlace(isAnywhere ? { after: lastOpen(flow) } : where);
    },
    [store],
  );
  const choose = (type: string) => {
    const { flow, change, select } = store.getState();
    const { id, operation } = insertNode(flow, type, place ?? {});
    change(operation);
    setPlace(undefined);
    select([id]);
    onAdded();
  };
  return (
    <AddingContext value={start}>
      {children}
      {place && <NodeTypeDialog onChoose={choose} onClose={() => setPlace(undefined)} />}
    </AddingContext>
  );
}

function NodeTypeDialog(props: { onChoose: (type: string) => void; onClose: () => void }): ReactNode {
  const t = useT();
  const { flow } = useEditorStore().getState();
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  // After the dialog has opened, which gives the focus to its first button.
  useEffect(() => field.current?.focus(), []);
  const [text, setText] = useState("");
  const [selected, setSelected] = useState(0);
  const hasStart = flow.graph.nodes.some(({ type }) => type === "start");
  const say = useNodeWords();
  const found = useMemo(() => findTypes(text, hasStart, say), [text, hasStart, say]);
  const at = Math.min(selected, found.length - 1);
  const current = found[at];
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move && found.length > 0) {
      event.preventDefault();
      const next = (at + move + found.length) % found.length;
      setSelected(next);
      document.getElementById(`${list}-${found[next]!.type}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" && current) {
      event.preventDefault();
      props.onChoose(current.type);
    }
  };
  return (
    <Dialog title={t("editor.add")} onClose={props.onClose}>
      <div className="stack">
        <input
          ref={field}
          role="combobox"
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={current && `${list}-${current.type}`}
          aria-label={t("editor.findType")}
          placeholder={t("editor.findType")}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setSelected(0);
          }}
          onKeyDown={onKeyDown}
        />
        <ul id={list} role="listbox" aria-label={t("editor.types")} className={styles.list} tabIndex={-1}>
          {found.map((type) => (
            <li
              key={type.type}
              id={`${list}-${type.type}`}
              role="option"
              aria-selected={type === current}
              className={styles.type}
              onClick={() => props.onChoose(type.type)}
            >
              <strong>{type.type}</strong>
              <span className={styles.summary}>{say(type.summary)}</span>
            </li>
          ))}
        </ul>
        {found.length === 0 && <p className="muted">{t("palette.none")}</p>}
      </div>
    </Dialog>
  );
}

/** Those whose name begins with what was typed come first. */
function findTypes(text: string, hasStart: boolean, say: (english: string) => string): NodeTypeDescription[] {
  const wanted = text.trim().toLowerCase();
  const rank = ({ type }: NodeTypeDescription) =>
    type.startsWith(wanted) ? 0 : type.includes(wanted) ? 1 : 2;
  return nodeTypes
    .filter(({ type, summary }) => `${type} ${summary} ${say(summary)}`.toLowerCase().includes(wanted))
    .filter(({ type }) => type !== "start" || !hasStart)
    .toSorted((one, other) => rank(one) - rank(other));
}
