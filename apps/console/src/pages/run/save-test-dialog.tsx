import { type ReactNode, useState } from "react";
import type { RunDetail, SavedTest } from "@millrace/client";
import { useSavedTest, useStoreTest } from "../../api/flow-tests.ts";
import { mayAct } from "../../lib/session.ts";
import { useT } from "../../texts/texts.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { ErrorNote, Loading } from "../../ui/notes.tsx";
import choices from "../../ui/choices.module.css";
import styles from "./save-test-dialog.module.css";

const MAX_PATHS = 200;

/** A test out of a run: every value is replaced unless somebody says here that it may be kept; secrets always are. */
export function SaveTestDialog({ run, onClose }: { run: RunDetail; onClose: () => void }): ReactNode {
  const t = useT();
  const [name, setName] = useState("");
  const [keep, setKeep] = useState<readonly string[]>([]);
  const saved = useSavedTest(run.id, { keep, name });
  const store = useStoreTest();
  return (
    <Dialog
      title={t("saveTest.title")}
      wide
      onClose={onClose}
      footer={
        store.isSuccess ? (
          <>
            <span role="status">{t("saveTest.stored")}</span>
            <button type="button" className="primary" onClick={onClose}>
              {t("action.close")}
            </button>
          </>
        ) : (
          saved.data && (
            <>
              <button type="button" onClick={() => download(saved.data)}>
                {t("saveTest.download")}
              </button>
              {mayAct("admin") && (
                <button
                  type="button"
                  className="primary"
                  disabled={store.isPending || saved.isFetching}
                  onClick={() => store.mutate(saved.data)}
                >
                  {t("saveTest.store")}
                </button>
              )}
            </>
          )
        )
      }
    >
      <p className="muted">{t("saveTest.text")}</p>
      <Field
        label={t("saveTest.name")}
        maxLength={200}
        placeholder={saved.data?.document.name}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {saved.isPending && <Loading />}
      {saved.data && <Paths test={saved.data} keep={keep} onKeep={setKeep} />}
      {saved.data?.warnings.map((text) => (
        <p key={text} role="status" className={styles.warning}>
          {text}
        </p>
      ))}
      {saved.data && (
        <details>
          <summary>{t("saveTest.document")}</summary>
          <CopyButton text={saved.data.yaml} />
          <pre className={styles.yaml} tabIndex={0} aria-label={t("saveTest.document")}>
            {saved.data.yaml}
          </pre>
        </details>
      )}
      {(saved.error ?? store.error) && <ErrorNote error={saved.error ?? store.error} />}
    </Dialog>
  );
}

function Paths(props: {
  test: SavedTest;
  keep: readonly string[];
  onKeep: (keep: readonly string[]) => void;
}): ReactNode {
  const { test, keep, onKeep } = props;
  const t = useT();
  const paths = [...new Set([...test.redacted, ...test.kept])].sort();
  if (paths.length === 0) return null;
  return (
    <fieldset className={choices.choices}>
      <legend>{t("saveTest.keep")}</legend>
      {paths.slice(0, MAX_PATHS).map((path) => (
        <label key={path}>
          <input
            type="checkbox"
            checked={keep.includes(path)}
            onChange={(event) =>
              onKeep(event.target.checked ? [...keep, path] : keep.filter((other) => other !== path))
            }
          />
          <span className="mono">{path}</span>
        </label>
      ))}
      {paths.length > MAX_PATHS && (
        <p className="muted small">{t("compare.cut", { shown: MAX_PATHS, total: paths.length })}</p>
      )}
    </fieldset>
  );
}

function download({ yaml, document: { id } }: SavedTest): void {
  const url = URL.createObjectURL(new Blob([yaml], { type: "application/yaml" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${id}.test.yaml`;
  link.click();
  URL.revokeObjectURL(url);
}
