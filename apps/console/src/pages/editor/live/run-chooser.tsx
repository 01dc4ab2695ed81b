import { type ReactNode, useEffect, useMemo } from "react";
import type { Run } from "@millrace/client";
import { useRuns } from "../../../api/runs.ts";
import { mayAct } from "../../../lib/session.ts";
import { useLanguage } from "../../../texts/texts.tsx";
import { Choice } from "../../../ui/field.tsx";
import { useEditor, useEditorStore } from "../use-editor.ts";

const MAX_RUNS = 50;

/** Those that ended, newest first. */
function useEndedRuns() {
  const flowId = useEditor((state) => state.flowId);
  const runs = useRuns({ flow: flowId, status: ["COMPLETED", "FAILED"] });
  const found = useMemo<readonly Run[] | undefined>(
    () => runs.data?.pages[0]?.data.slice(0, MAX_RUNS),
    [runs.data],
  );
  return found;
}

/** Until somebody chooses, values are of the newest run. */
export function NewestRun(): ReactNode {
  const editor = useEditorStore();
  const newest = useEndedRuns()?.[0]?.id;
  useEffect(() => {
    // Who only looks may evaluate nothing.
    if (newest === undefined || !mayAct("member")) return;
    if (editor.getState().runId === undefined) editor.getState().chooseRun(newest);
  }, [newest, editor]);
  return null;
}

/** Which recorded run the values are of. */
export function RunChooser(): ReactNode {
  const { t, locale } = useLanguage();
  const editor = useEditorStore();
  const runId = useEditor((state) => state.runId);
  const found = useEndedRuns() ?? [];
  if (found.length === 0) return <p className="muted small">{t("live.noRuns")}</p>;
  return (
    <Choice
      label={t("live.run")}
      value={runId ?? ""}
      options={[
        { value: "", text: t("live.noRun") },
        ...found.map(({ id, status, createdAt }) => ({
          value: id,
          text: `${new Date(createdAt).toLocaleString(locale)} · ${t(`status.${status}`)}`,
        })),
      ]}
      onChange={(chosen) => editor.getState().chooseRun(chosen || undefined)}
    />
  );
}
