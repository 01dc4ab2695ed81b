import {
  Background,
  type Connection,
  Controls,
  type Edge,
  type FinalConnectionState,
  type NodeChange,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useT } from "../../../texts/texts.tsx";
import { useAdding } from "../adding.tsx";
import { type Flow, nodeOf } from "../flow.ts";
import { isNoteKey, noteKey, notesOf } from "../notes.ts";
import type { Position } from "../operations/change-graph.ts";
import { connect, leadingTo } from "../operations/edges.ts";
import { changeNotes } from "../operations/notes.ts";
import { setPositions } from "../operations/positions.ts";
import type { Operation } from "../store.ts";
import { useEditor, useEditorStore } from "../use-editor.ts";
import { CanvasEdge } from "./canvas-edge.tsx";
import { type StepNode, useSteps, useWays, type WayEdge } from "./canvas-elements.ts";
import { CanvasNode } from "./canvas-node.tsx";
import { CanvasNoteView, type NoteNode, type Size, useNotes } from "./canvas-note.tsx";
import { placesOf } from "./places.ts";
import { useGraphWords } from "../../../graph/graph-words.ts";
import surface from "../../../graph/surface.module.css";
import styles from "./canvas.module.css";

const nodeTypes = { step: CanvasNode, note: CanvasNoteView };
const edgeTypes = { way: CanvasEdge };
const FIT = { maxZoom: 1, padding: 0.1 };
const MANY_NODES = 100;
const PRO = { hideAttribution: true };
const NOTHING: Moving = { places: new Map(), sizes: new Map() };

/** What is being dragged, or made larger, and is not let go yet. */
interface Moving {
  readonly places: ReadonlyMap<string, Position>;
  readonly sizes: ReadonlyMap<string, Size>;
}

/** The flow as a picture that can be changed. */
export function Canvas(props: { onOpen: () => void }): ReactNode {
  return (
    <ReactFlowProvider>
      <Drawing {...props} />
    </ReactFlowProvider>
  );
}

function Drawing({ onOpen }: { onOpen: () => void }): ReactNode {
  const t = useT();
  const graphWords = useGraphWords();
  const store = useEditorStore();
  const add = useAdding();
  const flow = useEditor((state) => state.flow);
  const errors = useEditor((state) => state.errors);
  const selection = useEditor((state) => state.selection);
  const isReadOnly = useEditor((state) => state.isReadOnly || state.faults.length > 0);
  const [moving, setMoving] = useState(NOTHING);
  const words = useCallback((count: number) => t("editor.problems", { count }), [t]);
  const steps = useSteps(flow, selection, errors, moving.places, words);
  const notes = useNotes(flow, selection, isReadOnly, moving);
  const nodes = useMemo(() => [...notes, ...steps], [notes, steps]);
  const edges = useWays(flow);
  useSeen(selection, nodes.length);

  const onNodesChange = useCallback(
    (changes: NodeChange<StepNode | NoteNode>[]) => {
      const { selection, select, flow, change: apply } = store.getState();
      const chosen = new Set(selection);
      const places = new Map<string, Position>();
      const sizes = new Map<string, Size>();
      let isOver = false;
      for (const change of changes) {
        if (change.type === "select") {
          if (change.selected) chosen.add(change.id);
          else chosen.delete(change.id);
        } else if (change.type === "position" && change.position) {
          places.set(change.id, change.position);
          isOver ||= change.dragging !== true;
        } else if (change.type === "dimensions" && change.dimensions && change.resizing !== undefined) {
          sizes.set(change.id, change.dimensions);
          isOver ||= !change.resizing;
        }
      }
      if (chosen.size !== selection.length || selection.some((id) => !chosen.has(id))) select([...chosen]);
      if (places.size + sizes.size === 0) return;
      if (!isOver)
        return setMoving((before) => ({
          places: new Map([...before.places, ...places]),
          sizes: new Map([...before.sizes, ...sizes]),
        }));
      setMoving(NOTHING);
      apply(moved(flow, { places, sizes }), `move ${[...places.keys(), ...sizes.keys()].join(" ")}`);
    },
    [store],
  );
  const isValid = useCallback(
    ({ source, target }: Connection | Edge) => {
      const { flow } = store.getState();
      const [from, to] = [nodeOf(flow, source), nodeOf(flow, target)];
      return (
        from !== undefined &&
        to !== undefined &&
        (from.parentId ?? "") === (to.parentId ?? "") &&
        !leadingTo(flow.graph.edges, source).has(target)
      );
    },
    [store],
  );
  const onConnect = useCallback(
    ({ source, sourceHandle, target }: Connection) =>
      store.getState().change(connect(source, sourceHandle ?? undefined, target)),
    [store],
  );
  const onConnectEnd = useCallback(
    (_: unknown, { fromNode, fromHandle, toNode }: FinalConnectionState) => {
      // Let go over nothing: what comes next is chosen from the list.
      if (fromNode && !toNode && fromHandle?.type === "source")
        add({ after: fromNode.id, handle: fromHandle.id ?? undefined });
    },
    [add],
  );
  return (
    <div className={`${surface.surface} ${styles.canvas}`} role="group" aria-label={t("editor.canvas")}>
      <ReactFlow<StepNode | NoteNode, WayEdge>
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        fitView
        fitViewOptions={FIT}
        minZoom={0.05}
        nodesDraggable={!isReadOnly}
        nodesConnectable={!isReadOnly}
        edgesFocusable={false}
        deleteKeyCode={null}
        multiSelectionKeyCode={MULTI}
        onlyRenderVisibleElements={nodes.length > MANY_NODES}
        proOptions={PRO}
        ariaLabelConfig={graphWords}
        onNodesChange={onNodesChange}
        onNodeDoubleClick={onOpen}
        isValidConnection={isValid}
        onConnect={onConnect}
        onConnectEnd={onConnectEnd}
      >
        {AROUND}
      </ReactFlow>
    </div>
  );
}

/** Where one node is put somewhere, all of them get a place. */
function moved(flow: Flow, { places, sizes }: Moving): Operation {
  const nodes = [...places].filter(([key]) => !isNoteKey(key));
  const moveNodes = setPositions(nodes.length === 0 ? new Map() : new Map([...placesOf(flow), ...nodes]));
  const moveNotes = changeNotes(
    new Map(
      notesOf(flow).map(({ id }) => {
        const [place, size] = [places.get(noteKey(id)), sizes.get(noteKey(id))];
        return [
          id,
          {
            ...(place && { position: { x: Math.round(place.x), y: Math.round(place.y) } }),
            ...(size && { width: Math.round(size.width), height: Math.round(size.height) }),
          },
        ];
      }),
    ),
  );
  return (before) => moveNotes(moveNodes(before));
}

const AROUND = (
  <>
    <Background gap={22} size={1} />
    <Controls showInteractive={false} />
  </>
);
const MULTI = ["Meta", "Control", "Shift"];

/** A node that has just been added is brought into sight. */
function useSeen(selection: readonly string[], count: number): void {
  const flow = useReactFlow();
  const before = useRef(count);
  useEffect(() => {
    const [id] = selection;
    const isAdded = count > before.current;
    before.current = count;
    if (!isAdded || id === undefined) return;
    const zoom = flow.getZoom();
    void flow.fitView({ nodes: [{ id }], minZoom: zoom, maxZoom: zoom });
  }, [selection, count, flow]);
}
