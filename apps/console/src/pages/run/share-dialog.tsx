import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { RunDetail } from "@millrace/client";
import type { NodeHead } from "../../api/nodes.ts";
import { endShare, shareRun } from "../../api/run-verbs.ts";
import { useT } from "../../texts/texts.tsx";
import { CopyLine } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { FullTime } from "../../ui/time.tsx";
import choices from "../../ui/choices.module.css";

/** A link shows the values of no more. */
const MAX_NODES = 100;
const LIFETIMES = ["1h", "1d", "7d", "30d"] as const;

/** A link for somebody without a key: structure, times and statuses, and only the values that are chosen here. */
export function ShareDialog(props: {
  run: RunDetail;
  nodes: readonly NodeHead[];
  onClose: () => void;
}): ReactNode {
  const { run, nodes, onClose } = props;
  const t = useT();
  const [reveal, setReveal] = useState<string[]>([]);
  const [expiresIn, setExpiresIn] = useState<string>("7d");
  const share = useMutation({ mutationFn: () => shareRun(run.id, { reveal, expiresIn }) });
  const end = useMutation({ mutationFn: (id: string) => endShare(run.id, id) });
  return (
    <Dialog
      title={t("share.title")}
      onClose={onClose}
      footer={
        share.data ? (
          <>
            <button
              type="button"
              className="danger"
              disabled={end.isPending || end.isSuccess}
              onClick={() => end.mutate(share.data.id)}
            >
              {t("share.end")}
            </button>
            <button type="button" className="primary" onClick={onClose}>
              {t("action.close")}
            </button>
          </>
        ) : (
          <button type="button" className="primary" disabled={share.isPending} onClick={() => share.mutate()}>
            {t("share.submit")}
          </button>
        )
      }
    >
      <p className="muted">{t("share.text")}</p>
      {share.data ? (
        <>
          <CopyLine text={share.data.url} secret />
          <p role="status" className="small">
            {end.isSuccess ? (
              t("share.ended")
            ) : (
              <>
                {t("share.until")} <FullTime value={share.data.expiresAt} />
              </>
            )}
          </p>
        </>
      ) : (
        <>
          <div className="row">
            <label htmlFor="share-lifetime">{t("share.lifetime")}</label>
            <select
              id="share-lifetime"
              value={expiresIn}
              onChange={(event) => setExpiresIn(event.target.value)}
            >
              {LIFETIMES.map((lifetime) => (
                <option key={lifetime} value={lifetime}>
                  {t(`share.${lifetime}`)}
                </option>
              ))}
            </select>
          </div>
          <fieldset className={choices.choices}>
            <legend>{t("share.reveal")}</legend>
            {nodes.slice(0, MAX_NODES).map(({ nodeKey }) => (
              <label key={nodeKey}>
                <input
                  type="checkbox"
                  checked={reveal.includes(nodeKey)}
                  onChange={(event) =>
                    setReveal(
                      event.target.checked
                        ? [...reveal, nodeKey]
                        : reveal.filter((other) => other !== nodeKey),
                    )
                  }
                />
                <span className="mono">{nodeKey}</span>
              </label>
            ))}
          </fieldset>
          {nodes.length > MAX_NODES && (
            <p className="muted small">{t("compare.cut", { shown: MAX_NODES, total: nodes.length })}</p>
          )}
        </>
      )}
      {(share.error ?? end.error) && <ErrorNote error={share.error ?? end.error} />}
    </Dialog>
  );
}
