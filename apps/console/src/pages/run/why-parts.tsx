import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Why } from "../../api/run-verbs.ts";
import { CopyLine } from "../../ui/copy.tsx";
import { Status } from "../../ui/status.tsx";
import { Ago } from "../../ui/time.tsx";
import styles from "./why-note.module.css";

/** The runs that hold what others wait for. */
export function WhyHolders({ why }: { why: Why }): ReactNode {
  if (!why.heldBy || why.heldBy.length === 0) return null;
  return (
    <ul className="small">
      {why.heldBy.map(({ runId, flowId, status, since }) => (
        <li key={runId} className={styles.holder}>
          <Status status={status} />
          <span>{flowId}</span>
          <Link to="/runs/$runId" params={{ runId }} className="mono">
            {runId}
          </Link>
          <span className="muted">
            <Ago value={since} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** What helps, where no button here does it. */
const DONE_HERE = new Set(["cancel", "approve", "why"]);

export function WhyCommands({ why }: { why: Why }): ReactNode {
  return why.actions
    .filter(({ action }) => !DONE_HERE.has(action))
    .map(({ action, command }) => <CopyLine key={action} text={command} />);
}
