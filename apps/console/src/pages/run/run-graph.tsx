import { type ReactNode, useMemo } from "react";
import type { RunDetail } from "@millrace/client";
import { useFlowGraph } from "../../api/flows.ts";
import type { NodeHead } from "../../api/nodes.ts";
import type { FlowGraph, NodeMark } from "../../graph/graph-model.ts";
import { GraphView } from "../../graph/graph-view.tsx";
import { edgeKey } from "../../graph/merge-graphs.ts";
import { useT } from "../../texts/texts.tsx";
import { ErrorNote, Loading } from "../../ui/notes.tsx";
import { durationText } from "../../ui/time.tsx";

interface Props {
  readonly run: RunDetail;
  readonly nodes: readonly NodeHead[];
  readonly selected: string | undefined;
  readonly onSelect: (nodeKey: string | undefined) => void;
  readonly zoom: string | undefined;
  readonly onZoom: (zoom: string | undefined) => void;
}

/** The flow as this run went through it. */
export function RunGraph({ run, nodes, selected, onSelect, zoom, onZoom }: Props): ReactNode {
  const t = useT();
  const { data, error, refetch } = useFlowGraph(run.payload.flowId, run.version);
  const graph = data?.graph;
  const marks = useMemo(() => (graph ? marksOf(graph, nodes) : undefined), [graph, nodes]);
  const taken = useMemo(() => (graph ? takenEdges(graph, nodes) : undefined), [graph, nodes]);
  if (error) return <ErrorNote error={error} retry={() => void refetch()} />;
  if (!graph || !marks || !taken) return <Loading />;
  return (
    <GraphView
      graph={graph}
      marks={marks}
      taken={taken}
      selected={selected?.replace(/\[.*$/, "")}
      onSelect={onSelect}
      label={t("run.view.graph")}
      zoom={zoom}
      onZoom={onZoom}
    />
  );
}

function marksOf(graph: FlowGraph, nodes: readonly NodeHead[]): Map<string, NodeMark> {
  const reached = new Map(nodes.map((node) => [node.nodeId, node]));
  return new Map(
    graph.nodes.map(({ id, parentId }): [string, NodeMark] => {
      const node = reached.get(id);
      // What is inside a container has many records; its container tells of them.
      if (!node) return [id, parentId ? {} : { status: "SKIPPED" }];
      const ended = node.completedAt
        ? { text: durationText(Date.parse(node.completedAt) - Date.parse(node.startedAt)) }
        : {};
      return [id, { status: node.status, ...ended }];
    }),
  );
}

/** An edge was taken where its source left by that way and its target has begun. */
function takenEdges(graph: FlowGraph, nodes: readonly NodeHead[]): Set<string> {
  const reached = new Map(nodes.map((node) => [node.nodeId, node]));
  return new Set(
    graph.edges
      .filter(({ source, target, sourceHandle }) => {
        const from = reached.get(source);
        return from?.completedAt && reached.has(target) && (from.handle ?? "out") === sourceHandle;
      })
      .map(edgeKey),
  );
}
