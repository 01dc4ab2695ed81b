import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId, useState } from "react";
import type { RunDetail, RunPause } from "@millrace/client";
import { resumeRun } from "../../api/runs.ts";
import { mayAct } from "../../lib/session.ts";
import { useT } from "../../texts/texts.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { formSchema, type FormValue, SchemaForm } from "../../ui/schema-form.tsx";
import { Ago } from "../../ui/time.tsx";
import styles from "./approval-card.module.css";

interface Props {
  readonly run: RunDetail;
  readonly wait: RunPause;
  readonly name: string;
}

/** One question: what is asked, by which run, how long there is, and the two answers. */
export function ApprovalCard({ run, wait, name }: Props): ReactNode {
  const t = useT();
  const note = useId();
  const queries = useQueryClient();
  const [text, setText] = useState("");
  const [value, setValue] = useState<FormValue>({});
  const form = formSchema(wait.form);
  const answer = useMutation({
    mutationFn: (decision: "approved" | "rejected") =>
      resumeRun(run.id, {
        nodeId: wait.nodeKey,
        decision,
        ...(form ? { data: { ...value } } : text.trim() !== "" && { data: { note: text.trim() } }),
      }),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ["approvals"] }),
        queries.invalidateQueries({ queryKey: ["run", run.id] }),
      ]),
  });
  return (
    <article className={styles.card} aria-label={wait.message ?? wait.nodeKey}>
      <p className={styles.message}>{wait.message ?? wait.nodeKey}</p>
      <p className="muted small">
        <Link to="/runs/$runId" params={{ runId: run.id }} search={{ node: wait.nodeKey }}>
          {name}
        </Link>{" "}
        · <Ago value={run.updatedAt} />
        {wait.until && (
          <>
            {" "}
            · {t("approvals.until")} <Ago value={wait.until} />
          </>
        )}
      </p>
      {mayAct("member") && (
        <>
          {form ? (
            <SchemaForm schema={form} value={value} onChange={setValue} />
          ) : (
            <div className="stack">
              <label htmlFor={note} className="small">
                {t("approvals.note")}
              </label>
              <input id={note} value={text} onChange={(event) => setText(event.target.value)} />
            </div>
          )}
          <div className={styles.answers}>
            <button
              type="button"
              className="primary"
              disabled={answer.isPending || answer.isSuccess}
              onClick={() => answer.mutate("approved")}
            >
              {t("approvals.approve")}
            </button>
            <button
              type="button"
              className="danger"
              disabled={answer.isPending || answer.isSuccess}
              onClick={() => answer.mutate("rejected")}
            >
              {t("approvals.reject")}
            </button>
          </div>
        </>
      )}
      {answer.error && <ErrorNote error={answer.error} />}
      <p role="status" className={answer.isSuccess ? "muted" : "visually-hidden"}>
        {answer.isSuccess ? t("approvals.answered") : ""}
      </p>
    </article>
  );
}
