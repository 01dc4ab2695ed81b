import type { ReactNode } from "react";
import type { RunNode, RunStatus } from "@millrace/client";
import type { TextKey } from "../texts/texts.tsx";
import { useT } from "../texts/texts.tsx";
import { Icon, iconPaths, type IconName } from "./icon.tsx";
import styles from "./status.module.css";

export type AnyStatus = RunStatus | RunNode["status"] | "SKIPPED" | "QUEUED";

interface Look {
  readonly icon: IconName;
  readonly tone: "good" | "bad" | "busy" | "warn" | "idle";
  readonly text: TextKey;
}

/** Each status has a shape, a word and a tone: colour alone never says it. */
const looks: Readonly<Record<AnyStatus, Look>> = {
  WAITING: { icon: "clock", tone: "idle", text: "status.WAITING" },
  QUEUED: { icon: "queue", tone: "idle", text: "status.QUEUED" },
  EXECUTING: { icon: "play", tone: "busy", text: "status.EXECUTING" },
  PAUSED: { icon: "pause", tone: "warn", text: "status.PAUSED" },
  COMPLETED: { icon: "check", tone: "good", text: "status.COMPLETED" },
  FAILED: { icon: "cross", tone: "bad", text: "status.FAILED" },
  CANCELED: { icon: "stop", tone: "idle", text: "status.CANCELED" },
  CRASHED: { icon: "bolt", tone: "bad", text: "status.CRASHED" },
  TIMED_OUT: { icon: "clock", tone: "bad", text: "status.TIMED_OUT" },
  ABORTED: { icon: "stop", tone: "idle", text: "status.ABORTED" },
  SKIPPED: { icon: "dot", tone: "idle", text: "status.SKIPPED" },
};

export function toneOf(status: AnyStatus): Look["tone"] {
  return looks[status]?.tone ?? "idle";
}

export function statusText(status: AnyStatus): TextKey {
  return looks[status].text;
}

export function Status(props: {
  status: AnyStatus;
  compact?: boolean;
  /** For what is no run but looks as one in this status does. */
  words?: string;
}): ReactNode {
  const { status, compact = false, words } = props;
  const t = useT();
  const { icon, tone, text } = looks[status];
  return (
    <span className={styles.status} data-tone={tone} data-status={status}>
      <span className={styles.icon} data-live={status === "EXECUTING"}>
        <Icon name={icon} size={12} />
      </span>
      <span className={compact ? "visually-hidden" : undefined}>{words ?? t(text)}</span>
    </span>
  );
}

/** The shape alone, beside words that say it. A graph has hundreds of them, which change at once: so few elements, little to set. */
export function StatusMark({ status }: { status: AnyStatus }): ReactNode {
  const { icon, tone } = looks[status];
  return (
    <svg
      className={styles.mark}
      data-tone={tone}
      data-live={status === "EXECUTING"}
      viewBox="-4 -4 24 24"
      aria-hidden="true"
    >
      <path d={iconPaths[icon]} />
    </svg>
  );
}
