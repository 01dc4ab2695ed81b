import type { ReactNode } from "react";
import { useT } from "../../../texts/texts.tsx";
import type { FieldPlace } from "../field-place.ts";
import { useEditor } from "../use-editor.ts";
import { fieldValue, previewOf } from "./field-value.ts";
import styles from "./live.module.css";
import { useLive } from "./use-live.ts";

/** Below a field: what it comes to on the chosen run, while one types. */
export function LiveResult({ place, value }: { place: FieldPlace; value: unknown }): ReactNode {
  const t = useT();
  const runId = useEditor((state) => state.runId);
  const node = useLive((live) => live.nodes.get(place.nodeId));
  const isStale = useLive((live) => (live.evaluation?.errors.length ?? 0) > 0);
  if (runId === undefined || !hasExpression(value, place)) return null;
  const found = fieldValue(node, place);
  const error = node?.error;
  if (!found && !error) return null;
  return (
    <p className={styles.result} data-stale={isStale} data-failed={!found}>
      <span className={styles.arrow} aria-hidden="true">
        =
      </span>
      <span className="visually-hidden">{t("live.result")}</span>
      <code>{found ? previewOf(found.value) : error!.message}</code>
    </p>
  );
}

/** A plain text says what it is by itself. */
function hasExpression(value: unknown, { language }: FieldPlace): boolean {
  if (language === "expression" || language === "javascript") return value !== undefined && value !== "";
  return (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).includes("{{");
}
