import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { type ComparedNode, type Comparison, useComparison } from "../../api/compare.ts";
import { useFlowGraph } from "../../api/flows.ts";
import type { NodeMark } from "../../graph/graph-model.ts";
import { GraphView } from "../../graph/graph-view.tsx";
import { mergeGraphs } from "../../graph/merge-graphs.ts";
import { useT } from "../../texts/texts.tsx";
import { ErrorNote, Loading } from "../../ui/notes.tsx";
import { TableFrame } from "../../ui/page.tsx";
import { Status, statusText } from "../../ui/status.tsx";
import { durationText } from "../../ui/time.tsx";
import { Differences } from "./differences.tsx";
import styles from "./compare-page.module.css";

/** Where two runs took other ways, and in which values they differ. */
export function RunComparison({ a, b }: { a: string; b: string }): ReactNode {
  const t = useT();
  const search = useSearch({ from: "/shell/compare" });
  const navigate = useNavigate();
  const comparison = useComparison(a, b);
  const change = (changed: Partial<typeof search>) =>
    void navigate({ to: "/compare", search: { ...search, ...changed }, replace: true });
  if (comparison.error) return <ErrorNote error={comparison.error} retry={() => void comparison.refetch()} />;
  if (!comparison.data) return <Loading />;
  const { data } = comparison;
  const nodes = data.nodes.filter(
    ({ differs, nodeId }) =>
      (!search.only || differs.length > 0) && (search.node === undefined || nodeId === search.node),
  );
  return (
    <>
      <div className={styles.runs}>
        {(["a", "b"] as const).map((side) => (
          <p key={side} className={styles.run}>
            <strong>{side.toUpperCase()}</strong>
            <Status status={data[side].status} />
            <Link to="/runs/$runId" params={{ runId: data[side].id }} className="mono">
              {data[side].id}
            </Link>
            <span className="muted">
              {data[side].flowId}@{data[side].version}
            </span>
          </p>
        ))}
      </div>
      <p role="status">
        {data.firstDivergence === null
          ? t("compare.same")
          : t("compare.first", { node: data.firstDivergence })}
      </p>
      {data.a.flowId === data.b.flowId && (
        <ComparedGraph comparison={data} selected={search.node} onSelect={(node) => change({ node })} />
      )}
      <label className={styles.only}>
        <input
          type="checkbox"
          checked={search.only === true}
          onChange={(event) => change({ only: event.target.checked || undefined })}
        />
        {t("compare.only")}
      </label>
      {data.total > data.nodes.length && (
        <p className="muted">{t("compare.cut", { shown: data.nodes.length, total: data.total })}</p>
      )}
      {nodes.length > 0 && (
        <TableFrame label={t("compare.title")}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t("node.node")}</th>
                <th scope="col">A</th>
                <th scope="col">B</th>
                <th scope="col">{t("compare.difference")}</th>
              </tr>
            </thead>
            <tbody>
              {nodes.map((node) => (
                <tr
                  key={node.nodeKey}
                  className={node.nodeKey === data.firstDivergence ? styles.first : undefined}
                >
                  <td>
                    <code>{node.nodeKey}</code> <span className="muted small">{node.type}</span>
                  </td>
                  <td>
                    <Side side={node.a} />
                  </td>
                  <td>
                    <Side side={node.b} />
                  </td>
                  <td>
                    <Differences node={node} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
    </>
  );
}

function ComparedGraph(props: {
  comparison: Comparison;
  selected: string | undefined;
  onSelect: (node: string | undefined) => void;
}): ReactNode {
  const { comparison, selected, onSelect } = props;
  const t = useT();
  const one = useFlowGraph(comparison.a.flowId, comparison.a.version).data?.graph;
  const other = useFlowGraph(comparison.b.flowId, comparison.b.version).data?.graph;
  const graph = useMemo(() => (one && other ? mergeGraphs(one, other) : undefined), [one, other]);
  const marks = useMemo(() => {
    const first = comparison.nodes.find(({ nodeKey }) => nodeKey === comparison.firstDivergence)?.nodeId;
    const found = new Map<string, NodeMark>();
    for (const node of comparison.nodes) {
      // Of the rounds of a container the first that differs speaks for all.
      if (found.get(node.nodeId)?.difference !== undefined) continue;
      const word = (side: ComparedNode["a"]) => t(side ? statusText(side.status) : "compare.absent");
      const difference =
        node.nodeId === first ? "first" : node.differs.length > 0 ? ("changed" as const) : undefined;
      found.set(node.nodeId, {
        text: node.a?.status === node.b?.status ? word(node.a) : `A ${word(node.a)} · B ${word(node.b)}`,
        ...(difference && { difference }),
      });
    }
    return found;
  }, [comparison, t]);
  if (!graph) return <Loading />;
  return (
    <div className={styles.graph}>
      <GraphView
        graph={graph}
        marks={marks}
        selected={selected}
        onSelect={onSelect}
        label={t("compare.graph")}
      />
    </div>
  );
}

function Side({ side }: { side: ComparedNode["a"] }): ReactNode {
  const t = useT();
  if (!side) return <span className="muted">{t("compare.absent")}</span>;
  return (
    <span className="row">
      <Status status={side.status} />
      <span className="muted number">{durationText(side.duration * 1_000)}</span>
      {side.handle && <code>{side.handle}</code>}
    </span>
  );
}
