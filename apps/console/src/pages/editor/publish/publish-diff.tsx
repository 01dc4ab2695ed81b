import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import type { FlowDiff, FlowDraft } from "@millrace/client";
import { useFlowGraph } from "../../../api/flows.ts";
import { requestData } from "../../../api/request.ts";
import { DifferenceList } from "../../../graph/difference-list.tsx";
import { useDifferenceMarks } from "../../../graph/difference-marks.ts";
import { GraphView } from "../../../graph/graph-view.tsx";
import { mergeGraphs } from "../../../graph/merge-graphs.ts";
import { useT } from "../../../texts/texts.tsx";
import { ErrorNote, Loading } from "../../../ui/notes.tsx";
import { structureOf } from "../structure.ts";
import { useEditor } from "../use-editor.ts";
import styles from "./publish.module.css";

/** From the version in force to the draft: in words, and on one graph. */
export function PublishDiff(): ReactNode {
  const t = useT();
  const flowId = useEditor((state) => state.flowId);
  const revision = useEditor((state) => state.revision);
  const path = `/manage/flows/${encodeURIComponent(flowId)}`;
  const draft = useQuery({
    queryKey: ["flow", flowId, "draft", revision],
    queryFn: ({ signal }) => requestData<FlowDraft>(`${path}/draft`, { signal }),
    gcTime: 0,
  });
  if (draft.error) return <ErrorNote error={draft.error} />;
  if (!draft.data) return <Loading />;
  if (draft.data.version === null) return <p role="status">{t("publish.first")}</p>;
  if (!draft.data.saved) return <p role="status">{t("publish.nothing")}</p>;
  return <Changes flowId={flowId} from={draft.data.version} revision={revision} />;
}

function Changes(props: { flowId: string; from: string; revision: number }): ReactNode {
  const { flowId, from, revision } = props;
  const t = useT();
  const draft = useEditor((state) => state.flow.graph);
  const before = useFlowGraph(flowId, from);
  const difference = useQuery({
    queryKey: ["flow", flowId, "diff", from, "draft", revision],
    queryFn: ({ signal }) =>
      requestData<FlowDiff>(
        `/manage/flows/${encodeURIComponent(flowId)}/versions/${encodeURIComponent(from)}/diff/draft`,
        { signal },
      ),
    gcTime: 0,
  });
  const graph = useMemo(
    () => before.data && mergeGraphs(before.data.graph, structureOf(draft)),
    [before.data, draft],
  );
  const marks = useDifferenceMarks(difference.data);
  if (difference.error) return <ErrorNote error={difference.error} />;
  if (!difference.data) return <Loading />;
  const { changes, runsAlike } = difference.data;
  return (
    <section className="stack" aria-label={t("publish.changes")}>
      <h3>{t("publish.changes")}</h3>
      {runsAlike && <p role="status">{t("versions.same")}</p>}
      <DifferenceList changes={changes} />
      {graph && changes.length > 0 && (
        <div className={styles.graph}>
          <GraphView
            graph={graph}
            marks={marks}
            selected={undefined}
            onSelect={() => {}}
            label={t("compare.graph")}
          />
        </div>
      )}
    </section>
  );
}
