import { type ReactNode, useState } from "react";
import type { RunDetail } from "@millrace/client";
import { type NodeHead, useNodeValues, useRunTrigger } from "../../api/nodes.ts";
import { sizeText } from "../../lib/size.ts";
import { type NodeTab, nodeTabs, type RunSearch } from "../../search.ts";
import { useLanguage, useT } from "../../texts/texts.tsx";
import { Icon } from "../../ui/icon.tsx";
import { JsonView } from "../../ui/json-view.tsx";
import { ErrorNote, Loading } from "../../ui/notes.tsx";
import { Status } from "../../ui/status.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Duration, FullTime } from "../../ui/time.tsx";
import { RoundsPanel } from "./rounds-panel.tsx";
import styles from "./run-inspector.module.css";

interface Props {
  readonly run: RunDetail;
  readonly nodes: readonly NodeHead[];
  readonly search: RunSearch;
  readonly onChange: (changed: RunSearch) => void;
}

/** Above this a value is opened on request. */
const OPEN_AT_ONCE_BYTES = 200_000;

const CONTAINERS = new Set(["for-each", "while"]);

/** What is selected: a node with its values, or the run itself. */
export function RunInspector({ run, nodes, search, onChange }: Props): ReactNode {
  const t = useT();
  const node = nodes.find(({ nodeKey }) => nodeKey === search.node);
  return (
    <aside className={styles.inspector} aria-label={t("run.inspector")}>
      {search.node !== undefined ? (
        <NodeInspector
          key={search.node}
          run={run}
          nodeKey={search.node}
          node={node}
          tab={search.tab}
          past={search.at !== undefined}
          onChange={onChange}
        />
      ) : (
        <RunValues run={run} />
      )}
    </aside>
  );
}

function RunValues({ run }: { run: RunDetail }): ReactNode {
  const t = useT();
  const trigger = useRunTrigger(run.id, true);
  const { trigger: received, data, inputs, valuesHidden } = trigger.data ?? {};
  return (
    <div className="stack">
      <h2>{t("run.values")}</h2>
      <p className="muted small">{t("run.pickNode")}</p>
      {valuesHidden && <p className={styles.hidden}>{t("value.hidden")}</p>}
      {trigger.error && <ErrorNote error={trigger.error} />}
      {received && <Named title={t("run.triggerValue")} value={received} name={`${run.id}-trigger`} />}
      {data && <Named title={t("run.data")} value={data} name={`${run.id}-data`} />}
      {inputs && <Named title={t("run.inputs")} value={inputs} name={`${run.id}-inputs`} />}
      {run.output && <Named title={t("run.output")} value={run.output} name={`${run.id}-output`} />}
    </div>
  );
}

function Named({ title, value, name }: { title: string; value: unknown; name: string }): ReactNode {
  return (
    <section className="stack">
      <h3>{title}</h3>
      <JsonView value={value} name={name} />
    </section>
  );
}

interface NodeProps {
  readonly run: RunDetail;
  readonly nodeKey: string;
  readonly node: NodeHead | undefined;
  readonly tab: NodeTab | undefined;
  /** The page shows an earlier moment. */
  readonly past: boolean;
  readonly onChange: (changed: RunSearch) => void;
}

function NodeInspector({ run, nodeKey, node, tab, past, onChange }: NodeProps): ReactNode {
  const { t, locale } = useLanguage();
  const size = node?.sizes?.record ?? 0;
  const [asked, setAsked] = useState(false);
  // What happened in rounds is not told moment by moment.
  const isInside = nodeKey.includes("[");
  const open = asked || size <= OPEN_AT_ONCE_BYTES;
  const selected = tab ?? (node?.status === "FAILED" ? "error" : "output");
  return (
    <div className="stack">
      <header className={styles.head}>
        <h2 className="mono">{nodeKey}</h2>
        <button
          type="button"
          className="quiet"
          aria-label={t("action.close")}
          onClick={() => onChange({ node: undefined, tab: undefined })}
        >
          <Icon name="cross" />
        </button>
      </header>
      {node && (
        <dl className={styles.facts}>
          <dt>{t("runs.status")}</dt>
          <dd>
            <Status status={node.status} />
          </dd>
          <dt>{t("node.type")}</dt>
          <dd>{node.type}</dd>
          <dt>{t("node.started")}</dt>
          <dd>
            <FullTime value={node.startedAt} />
          </dd>
          <dt>{t("runs.duration")}</dt>
          <dd>
            <Duration from={node.startedAt} to={node.completedAt} />
          </dd>
          {node.handle && (
            <>
              <dt>{t("node.handle")}</dt>
              <dd className="mono">{node.handle}</dd>
            </>
          )}
        </dl>
      )}
      {node && CONTAINERS.has(node.type) && (
        <RoundsPanel
          runId={run.id}
          container={nodeKey}
          selected={undefined}
          onSelect={(chosen) => onChange({ node: chosen, tab: undefined })}
        />
      )}
      <Tabs
        label={t("run.inspector")}
        panel="node-value"
        tabs={nodeTabs.map((one) => ({ id: one, text: t(`node.${one}`) }))}
        selected={selected}
        onSelect={(chosen) => onChange({ tab: nodeTabs.find((one) => one === chosen) })}
      />
      <div id="node-value" role="tabpanel" aria-label={t(`node.${selected}`)} tabIndex={0}>
        {past && !isInside && (node === undefined || (selected !== "input" && !node.completedAt)) ? (
          <None text={t(node ? "node.notEnded" : "node.notBegun")} />
        ) : open ? (
          <NodeValue runId={run.id} nodeKey={nodeKey} node={node} tab={selected} />
        ) : (
          <button type="button" onClick={() => setAsked(true)}>
            {t("value.open", { size: sizeText(size, locale) })}
          </button>
        )}
      </div>
    </div>
  );
}

function NodeValue(props: {
  runId: string;
  nodeKey: string;
  node: NodeHead | undefined;
  tab: NodeTab;
}): ReactNode {
  const { runId, nodeKey, node, tab } = props;
  const { t, locale } = useLanguage();
  const values = useNodeValues(runId, nodeKey, `${node?.status} ${node?.attempts} ${node?.completedAt}`);
  if (values.error) return <ErrorNote error={values.error} retry={() => void values.refetch()} />;
  if (!values.data) return <Loading />;
  const { input, output, error, log, attempts, valuesHidden } = values.data;
  if (tab === "attempts")
    return <p>{t("node.attemptsText", { count: (attempts ?? 1).toLocaleString(locale) })}</p>;
  if (valuesHidden) return <p className={styles.hidden}>{t("value.hidden")}</p>;
  if (tab === "error")
    return error ? (
      <div className={styles.error}>
        <strong>{error.name}</strong>
        <pre>{error.message}</pre>
      </div>
    ) : (
      <None text={t("node.noError")} />
    );
  if (tab === "log")
    return log && log.length > 0 ? (
      <pre className={styles.log}>{log.join("\n")}</pre>
    ) : (
      <None text={t("node.noLog")} />
    );
  const value = tab === "input" ? input : output;
  return value === undefined ? (
    <None text={t(tab === "input" ? "node.noInput" : "node.noOutput")} />
  ) : (
    <JsonView value={value} name={`${runId}-${nodeKey}-${tab}`} />
  );
}

function None({ text }: { text: string }): ReactNode {
  return <p className="muted">{text}</p>;
}
