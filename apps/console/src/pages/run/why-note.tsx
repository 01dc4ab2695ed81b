import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { RunDetail } from "@millrace/client";
import { useActivation } from "../../api/flows.ts";
import { isTerminal } from "../../api/runs.ts";
import { useWhy } from "../../api/run-verbs.ts";
import { mayAct } from "../../lib/session.ts";
import { useT } from "../../texts/texts.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { Ago } from "../../ui/time.tsx";
import { ApprovalCard } from "../approvals/approval-card.tsx";
import { WhyCommands, WhyHolders } from "./why-parts.tsx";
import styles from "./why-note.module.css";

/** Why the run waits: one sentence, and what helps. */
export function WhyNote({ run, name }: { run: RunDetail; name: string }): ReactNode {
  const t = useT();
  const activate = useActivation(run.payload.flowId);
  const { data: why } = useWhy(run.id, !isTerminal(run.status) && run.status !== "EXECUTING");
  if (isTerminal(run.status) || !why?.waiting) return null;
  const asked = (run.waits ?? (run.pause ? [run.pause] : [])).filter(({ kind }) => kind === "approval");
  return (
    <section className={styles.why} aria-label={t("why.title")}>
      <p role="status">
        <strong>{why.reason}</strong>
      </p>
      <p className="muted small">
        {t("why.since")} <Ago value={why.since} />
        {why.until && (
          <>
            {" "}
            · {t(why.untilIsEstimate ? "why.about" : "why.until")} <Ago value={why.until} />
          </>
        )}
      </p>
      <WhyHolders why={why} />
      {asked.map((wait) => (
        <ApprovalCard
          key={wait.nodeKey}
          question={{ ...wait, runId: run.id, askedAt: why.since, valuesHidden: run.valuesHidden ?? false }}
          name={name}
        />
      ))}
      <div className="row">
        {why.actions.some(({ action }) => action === "activate_flow") && mayAct("admin") && (
          <button type="button" disabled={activate.isPending} onClick={() => activate.mutate(true)}>
            {t("flow.activate")}
          </button>
        )}
        {why.needs?.kind === "credits" && (
          <Link to="/credits" className="button">
            {t("credits.grant")}
          </Link>
        )}
      </div>
      {activate.error && <ErrorNote error={activate.error} />}
      <WhyCommands why={why} />
    </section>
  );
}
