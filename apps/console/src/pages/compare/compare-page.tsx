import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import { type ComparedNode, type PatchOperation, useComparison } from "../../api/compare.ts";
import { type TextKey, useT } from "../../texts/texts.tsx";
import { Field } from "../../ui/field.tsx";
import { ErrorNote, Loading } from "../../ui/notes.tsx";
import { Page, TableFrame } from "../../ui/page.tsx";
import { Status } from "../../ui/status.tsx";
import { durationText } from "../../ui/time.tsx";
import styles from "./compare-page.module.css";

/** Two runs side by side: where they took other ways, and in which values they differ. */
export function ComparePage(): ReactNode {
  const t = useT();
  const search = useSearch({ from: "/shell/compare" });
  const comparison = useComparison(search.a, search.b);
  const [onlyDifferent, setOnlyDifferent] = useState(false);
  const data = comparison.data;
  const nodes = data?.nodes.filter(({ differs }) => !onlyDifferent || differs.length > 0) ?? [];
  return (
    <Page title={t("compare.title")}>
      <Chooser key={`${search.a} ${search.b}`} a={search.a} b={search.b} />
      {comparison.error && <ErrorNote error={comparison.error} retry={() => void comparison.refetch()} />}
      {comparison.isLoading && <Loading />}
      {data && (
        <>
          <div className={styles.runs}>
            {(["a", "b"] as const).map((side) => (
              <p key={side} className={styles.run}>
                <strong>{side.toUpperCase()}</strong>
                <Status status={data[side].status} />
                <Link to="/runs/$runId" params={{ runId: data[side].id }} className="mono">
                  {data[side].id}
                </Link>
                <span className="muted">
                  {data[side].flowId}@{data[side].version}
                </span>
              </p>
            ))}
          </div>
          <p role="status">
            {data.firstDivergence === null
              ? t("compare.same")
              : t("compare.first", { node: data.firstDivergence })}
          </p>
          <label className={styles.only}>
            <input
              type="checkbox"
              checked={onlyDifferent}
              onChange={(event) => setOnlyDifferent(event.target.checked)}
            />
            {t("compare.only")}
          </label>
          {data.total > data.nodes.length && (
            <p className="muted">{t("compare.cut", { shown: data.nodes.length, total: data.total })}</p>
          )}
          {nodes.length > 0 && (
            <TableFrame label={t("compare.title")}>
              <table>
                <thead>
                  <tr>
                    <th scope="col">{t("node.node")}</th>
                    <th scope="col">A</th>
                    <th scope="col">B</th>
                    <th scope="col">{t("compare.difference")}</th>
                  </tr>
                </thead>
                <tbody>
                  {nodes.map((node) => (
                    <tr
                      key={node.nodeKey}
                      className={node.nodeKey === data.firstDivergence ? styles.first : undefined}
                    >
                      <td>
                        <code>{node.nodeKey}</code> <span className="muted small">{node.type}</span>
                      </td>
                      <td>
                        <Side side={node.a} />
                      </td>
                      <td>
                        <Side side={node.b} />
                      </td>
                      <td>
                        <Differences node={node} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </TableFrame>
          )}
        </>
      )}
    </Page>
  );
}

function Chooser({ a = "", b = "" }: { a: string | undefined; b: string | undefined }): ReactNode {
  const t = useT();
  const navigate = useNavigate();
  const [runs, setRuns] = useState({ a, b });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ to: "/compare", search: { a: runs.a.trim(), b: runs.b.trim() } });
  };
  return (
    <form className={styles.chooser} onSubmit={submit}>
      {(["a", "b"] as const).map((side) => (
        <Field
          key={side}
          label={`${t("runs.run")} ${side.toUpperCase()}`}
          className="mono"
          required
          placeholder="run_…"
          value={runs[side]}
          onChange={(event) => setRuns({ ...runs, [side]: event.target.value })}
        />
      ))}
      <button type="submit" className="primary">
        {t("run.compare")}
      </button>
    </form>
  );
}

function Side({ side }: { side: ComparedNode["a"] }): ReactNode {
  const t = useT();
  if (!side) return <span className="muted">{t("compare.absent")}</span>;
  return (
    <span className="row">
      <Status status={side.status} />
      <span className="muted number">{durationText(side.duration * 1_000)}</span>
      {side.handle && <code>{side.handle}</code>}
    </span>
  );
}

function Differences({ node }: { node: ComparedNode }): ReactNode {
  const t = useT();
  if (node.differs.length === 0) return <span className="muted">{t("compare.equal")}</span>;
  return (
    <div className="stack">
      <span>{node.differs.map((what) => t(`compare.${what}` as TextKey)).join(", ")}</span>
      {(["input", "output"] as const).map((name) => {
        const value = node[name];
        if (!value || value.equal) return null;
        return (
          <details key={name}>
            <summary>{t(`node.${name}`)}</summary>
            {value.leftOut && <p className="muted small">{t("compare.leftOut")}</p>}
            {value.patch && <Patch operations={value.patch} />}
          </details>
        );
      })}
    </div>
  );
}

function Patch({ operations }: { operations: readonly PatchOperation[] }): ReactNode {
  return (
    <ul className={styles.patch}>
      {operations.map(({ op, path, value }) => (
        <li key={`${op} ${path}`} data-op={op}>
          <strong>{op}</strong> {path || "/"} {op !== "remove" && <span>{preview(value)}</span>}
        </li>
      ))}
    </ul>
  );
}

const PREVIEW = 400;

function preview(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > PREVIEW ? `${text.slice(0, PREVIEW)}…` : text;
}
