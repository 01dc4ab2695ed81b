import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { RunCreated, RunQueued } from "@millrace/client";
import { requestData } from "../../../api/request.ts";
import { mayAct } from "../../../lib/session.ts";
import { useT } from "../../../texts/texts.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ErrorNote } from "../../../ui/notes.tsx";
import { useBody } from "../../../ui/use-body.tsx";
import { selectedNode } from "../notes.ts";
import { useEditor, useEditorStore } from "../use-editor.ts";
import { TestRunResult } from "./test-run-result.tsx";

type Scope = "node" | "from" | "all";

/** Real runs of the draft, with everything that leaves the service: only after somebody has said so. */
export function TestRunButtons(): ReactNode {
  const t = useT();
  const selected = useEditor(selectedNode);
  const runId = useEditor((state) => state.runId);
  const [scope, setScope] = useState<Scope>();
  if (!mayAct("admin")) return null;
  const needsNode = selected === undefined || runId === undefined;
  return (
    <div className="row">
      {(["node", "from", "all"] as const).map((one) => (
        <button key={one} type="button" disabled={one !== "all" && needsNode} onClick={() => setScope(one)}>
          {t(`testRun.${one}`)}
        </button>
      ))}
      {scope && <TestRunDialog scope={scope} nodeId={selected} onClose={() => setScope(undefined)} />}
    </div>
  );
}

function TestRunDialog(props: { scope: Scope; nodeId: string | undefined; onClose: () => void }): ReactNode {
  const { scope, nodeId, onClose } = props;
  const t = useT();
  const editor = useEditorStore();
  const queries = useQueryClient();
  const flow = useEditor((state) => state.flow);
  const runId = useEditor((state) => state.runId);
  const isFresh = scope === "all" && runId === undefined;
  const body = useBody(flow.input);
  const start = useMutation({
    mutationFn: () =>
      requestData<RunCreated | RunQueued>(
        `/manage/flows/${encodeURIComponent(editor.getState().flowId)}/draft/run`,
        {
          method: "POST",
          body: {
            graph: flow.graph,
            ...(!isFresh && { runId }),
            ...(scope !== "all" && { nodeId, only: scope === "node" }),
            ...(isFresh && body.value !== undefined && { trigger: { body: body.value } }),
          },
        },
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["runs"] }),
  });
  const started =
    start.data && ("id" in start.data ? start.data.id : start.data.queueId.replace(/^queue_/, "run_"));
  return (
    <Dialog
      title={t(`testRun.${scope}`)}
      onClose={onClose}
      footer={
        started === undefined ? (
          <button
            type="button"
            className="danger"
            disabled={start.isPending || (isFresh && !body.ok)}
            onClick={() => start.mutate()}
          >
            {t("testRun.start")}
          </button>
        ) : (
          <>
            <button type="button" onClick={onClose}>
              {t("action.close")}
            </button>
            <Link to="/runs/$runId" params={{ runId: started }} className="button primary">
              {t("testRun.open")}
            </Link>
          </>
        )
      }
    >
      {started === undefined ? (
        <>
          <p>{t("testRun.text")}</p>
          {scope !== "all" && <p className="muted">{t(`testRun.${scope}Text`, { node: nodeId ?? "" })}</p>}
          {scope === "all" && !isFresh && <p className="muted">{t("testRun.allText")}</p>}
          {isFresh && body.field}
        </>
      ) : (
        <TestRunResult
          runId={started}
          only={scope === "node" ? nodeId : undefined}
          onUse={() => {
            editor.getState().chooseRun(started);
            onClose();
          }}
        />
      )}
      {start.error && <ErrorNote error={start.error} />}
    </Dialog>
  );
}
