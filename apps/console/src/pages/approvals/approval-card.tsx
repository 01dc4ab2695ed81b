import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId, useState } from "react";
import type { ManagedApproval } from "@millrace/client";
import { APPROVALS } from "../../api/approvals.ts";
import { resumeRun } from "../../api/runs.ts";
import { mayAct } from "../../lib/session.ts";
import { useT } from "../../texts/texts.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { formSchema, type FormValue, SchemaForm } from "../../ui/schema-form.tsx";
import { Ago } from "../../ui/time.tsx";
import styles from "./approval-card.module.css";

const MAX_LABEL = 200;

interface Props {
  readonly question: Partial<ManagedApproval> & Pick<ManagedApproval, "runId" | "nodeKey" | "askedAt">;
  readonly name: string;
  /** Where the card goes away with the question. */
  readonly onAnswered?: () => void;
}

/** One question: what is asked, by which run, of whom, how long there is, and the two answers. */
export function ApprovalCard({ question, name, onAnswered }: Props): ReactNode {
  const t = useT();
  const { runId, nodeKey, message, assignees, askedAt, until, valuesHidden } = question;
  const answers = question.mayAnswer ?? mayAct("member");
  const note = useId();
  const queries = useQueryClient();
  const [text, setText] = useState("");
  const [value, setValue] = useState<FormValue>({});
  const form = formSchema(question.form);
  const answer = useMutation({
    mutationFn: (decision: "approved" | "rejected") =>
      resumeRun(runId, {
        nodeId: nodeKey,
        decision,
        ...(form ? { data: { ...value } } : text.trim() !== "" && { data: { note: text.trim() } }),
      }),
    onSuccess: () => {
      onAnswered?.();
      return Promise.all([
        queries.invalidateQueries({ queryKey: [APPROVALS] }),
        queries.invalidateQueries({ queryKey: ["run", runId] }),
      ]);
    },
  });
  return (
    <article className={styles.card} aria-label={(message ?? nodeKey).slice(0, MAX_LABEL)}>
      <p className={styles.message} dir="auto">
        {message ?? nodeKey}
      </p>
      {valuesHidden && <p className="muted small">{t("value.hidden")}</p>}
      <p className="muted small">
        <Link to="/runs/$runId" params={{ runId }} search={{ node: nodeKey }}>
          {name}
        </Link>{" "}
        · <Ago value={askedAt} />
        {until && (
          <>
            {" "}
            · {t("approvals.until")} <Ago value={until} />
          </>
        )}
        {assignees && (
          <>
            {" "}
            · {t("approvals.for")} {assignees.join(", ")}
          </>
        )}
      </p>
      {answers && (
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
