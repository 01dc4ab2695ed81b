import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import type { FlowDiff } from "@millrace/client";
import { useFlowGraph } from "../../api/flows.ts";
import { requestData } from "../../api/request.ts";
import { DifferenceList } from "../../graph/difference-list.tsx";
import { useDifferenceMarks } from "../../graph/difference-marks.ts";
import { GraphView } from "../../graph/graph-view.tsx";
import { mergeGraphs } from "../../graph/merge-graphs.ts";
import { useT } from "../../texts/texts.tsx";
import { ErrorNote, Loading } from "../../ui/notes.tsx";
import styles from "./compare-page.module.css";

/** What another version does differently: in words, and on the graph. */
export function VersionComparison(props: { flowId: string; from: string; to: string }): ReactNode {
  const { flowId, from, to } = props;
  const t = useT();
  const search = useSearch({ from: "/shell/compare" });
  const navigate = useNavigate();
  const before = useFlowGraph(flowId, from);
  const after = useFlowGraph(flowId, to);
  const difference = useQuery({
    queryKey: ["flow", flowId, "diff", from, to],
    queryFn: ({ signal }) =>
      requestData<FlowDiff>(
        `/manage/flows/${encodeURIComponent(flowId)}/versions/${encodeURIComponent(from)}/diff/${encodeURIComponent(to)}`,
        { signal },
      ),
    staleTime: Infinity,
  });
  const graph = useMemo(
    () => (before.data && after.data ? mergeGraphs(before.data.graph, after.data.graph) : undefined),
    [before.data, after.data],
  );
  const marks = useDifferenceMarks(difference.data);
  const error = difference.error ?? before.error ?? after.error;
  if (error) return <ErrorNote error={error} retry={() => void difference.refetch()} />;
  if (!difference.data) return <Loading />;
  return (
    <>
      <p role="status">
        <Link to="/flows/$flowId" params={{ flowId }} className="mono">
          {flowId}
        </Link>{" "}
        {from} → {to}
        {difference.data.runsAlike && `: ${t("versions.same")}`}
      </p>
      {graph && (
        <div className={styles.graph}>
          <GraphView
            graph={graph}
            marks={marks}
            selected={search.node}
            onSelect={(node) => void navigate({ to: "/compare", search: { ...search, node }, replace: true })}
            label={t("compare.graph")}
          />
        </div>
      )}
      <DifferenceList changes={difference.data.changes} />
    </>
  );
}
