import type { ReactNode } from "react";
import { ApiError } from "../api/request.ts";
import { type TextKey, useT } from "../texts/texts.tsx";
import { CopyLine } from "./copy.tsx";
import styles from "./notes.module.css";

/** What happened, what to try, and the id under which the service logged it. */
export function ErrorNote({ error, retry }: { error: unknown; retry?: () => void }): ReactNode {
  const t = useT();
  const known = error instanceof ApiError ? error : undefined;
  return (
    <div role="alert" className={styles.error}>
      <strong>
        {known?.status === 0
          ? t("error.connection")
          : // The message only says that there are issues.
            (known && known.issues.length > 0 ? known.title : known?.message) || t("error.unknown")}
      </strong>
      {known?.issues.slice(0, 5).map((issue) => (
        <p key={issue.path.join(".") + issue.message} className="mono">
          {issue.path.join(".")}: {issue.message}
        </p>
      ))}
      <p className="small">{t(advice(known))}</p>
      <div className="row small">
        {retry && (
          <button type="button" onClick={retry}>
            {t("action.tryAgain")}
          </button>
        )}
        {known?.requestId && (
          <span>
            {t("error.requestId")} <code>{known.requestId}</code>
          </span>
        )}
      </div>
    </div>
  );
}

function advice(error: ApiError | undefined): TextKey {
  if (!error) return "advice.reload";
  if (error.status === 0) return "advice.unreachable";
  if (error.status === 503) return "advice.unavailable";
  if (error.status === 403) return "advice.forbidden";
  if (error.status === 404) return "advice.gone";
  if (error.status === 429) return "advice.slower";
  return error.status >= 500 ? "advice.report" : "advice.input";
}

/** A page without anything on it says what to do first. */
export function Empty(props: { title: string; children?: ReactNode; command?: string }): ReactNode {
  return (
    <div className={styles.empty} data-empty-note="">
      <h2>{props.title}</h2>
      {props.children && <div className="muted">{props.children}</div>}
      {props.command && <CopyLine text={props.command} />}
    </div>
  );
}

export function Loading(): ReactNode {
  const t = useT();
  return (
    <p role="status" className={styles.loading}>
      {t("loading")}
    </p>
  );
}
