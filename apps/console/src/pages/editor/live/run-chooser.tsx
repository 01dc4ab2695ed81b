import { type ReactNode, useEffect, useMemo } from "react";
import { useRuns } from "../../../api/runs.ts";
import { useLanguage } from "../../../texts/texts.tsx";
import { Choice } from "../../../ui/field.tsx";
import { useEditor, useEditorStore } from "../use-editor.ts";

const MAX_RUNS = 50;

/** Which recorded run the values are of: the newest that ended, until somebody chooses. */
export function RunChooser(): ReactNode {
  const { t, locale } = useLanguage();
  const editor = useEditorStore();
  const flowId = useEditor((state) => state.flowId);
  const runId = useEditor((state) => state.runId);
  const runs = useRuns({ flow: flowId, status: ["COMPLETED", "FAILED"] });
  const found = useMemo(() => runs.data?.pages[0]?.data.slice(0, MAX_RUNS) ?? [], [runs.data]);
  const newest = found[0]?.id;
  useEffect(() => {
    if (newest !== undefined && editor.getState().runId === undefined) editor.getState().chooseRun(newest);
  }, [newest, editor]);
  if (runs.data && found.length === 0) return <p className="muted small">{t("live.noRuns")}</p>;
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
