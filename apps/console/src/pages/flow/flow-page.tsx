import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type ReactNode, useMemo, useState } from "react";
import { useFlow, useFlowGraph, useFlowStatistics } from "../../api/flows.ts";
import { useRuns } from "../../api/runs.ts";
import type { NodeMark } from "../../graph/graph-model.ts";
import { GraphView } from "../../graph/graph-view.tsx";
import { mayAct } from "../../lib/session.ts";
import { useLanguage, useT } from "../../texts/texts.tsx";
import { ErrorNote, Loading } from "../../ui/notes.tsx";
import { Page, Panel, TableFrame } from "../../ui/page.tsx";
import { Status } from "../../ui/status.tsx";
import { Ago, Duration, durationText } from "../../ui/time.tsx";
import { TriggerDialog } from "./trigger-dialog.tsx";
import { VersionsPanel } from "./versions-panel.tsx";
import { WebhookPanel } from "./webhook-panel.tsx";
import styles from "./flow-page.module.css";

const PERIODS = ["1h", "1d", "1w", "30d"] as const;

export function FlowPage(): ReactNode {
  const t = useT();
  const { flowId } = useParams({ from: "/shell/flows/$flowId" });
  const flow = useFlow(flowId);
  const [triggering, setTriggering] = useState(false);
  if (flow.error)
    return (
      <Page title={flowId}>
        <ErrorNote error={flow.error} retry={() => void flow.refetch()} />
      </Page>
    );
  if (!flow.data) return <Loading />;
  return (
    <Page
      title={flow.data.name}
      actions={
        mayAct("member") && (
          <button type="button" className="primary" onClick={() => setTriggering(true)}>
            {t("flow.trigger")}
          </button>
        )
      }
    >
      <p className="row muted small">
        <code>{flowId}</code>
        <span>{t(flow.data.active ? "flows.active" : "flows.inactive")}</span>
      </p>
      <FlowHeat flowId={flowId} />
      <RecentRuns flowId={flowId} />
      <VersionsPanel flowId={flowId} />
      {mayAct("admin") && <WebhookPanel flowId={flowId} />}
      {triggering && (
        <TriggerDialog flowId={flowId} input={flow.data.input} onClose={() => setTriggering(false)} />
      )}
    </Page>
  );
}

/** The active version with what its nodes cost and how often they fail. */
function FlowHeat({ flowId }: { flowId: string }): ReactNode {
  const { t, locale } = useLanguage();
  const search = useSearch({ from: "/shell/flows/$flowId" });
  const navigate = useNavigate();
  const period = search.period ?? "1d";
  const structure = useFlowGraph(flowId);
  const statistics = useFlowStatistics(flowId, period);
  const percent = (rate: number) =>
    rate.toLocaleString(locale, { style: "percent", maximumFractionDigits: 1 });
  const marks = useMemo(() => {
    const nodes = statistics.data?.nodes ?? [];
    const slowest = Math.max(...nodes.map(({ p95Seconds }) => p95Seconds ?? 0), 0.001);
    return new Map(
      nodes.map((node): [string, NodeMark] => [
        node.nodeId,
        {
          text: `${node.executions.toLocaleString(locale)}× ${durationText((node.p95Seconds ?? 0) * 1_000)}${
            node.errorRate ? ` · ${percent(node.errorRate)} ${t("flow.failedShort")}` : ""
          }`,
          heat: (node.p95Seconds ?? 0) / slowest,
        },
      ]),
    );
  }, [statistics.data, locale, t]);
  const runs = statistics.data?.runs;
  return (
    <Panel
      title={t("flow.graph")}
      actions={
        <div className="row">
          <span className="muted small">{structure.data?.version}</span>
          <select
            aria-label={t("runs.period")}
            value={period}
            onChange={(event) =>
              void navigate({
                to: "/flows/$flowId",
                params: { flowId },
                search: { ...search, period: event.target.value },
                replace: true,
              })
            }
          >
            {PERIODS.map((one) => (
              <option key={one} value={one}>
                {t(`period.${one}`)}
              </option>
            ))}
          </select>
        </div>
      }
    >
      {runs && (
        <dl className={styles.figures}>
          <Figure name={t("flow.ended")} value={runs.ended.toLocaleString(locale)} />
          <Figure
            name={t("flow.errorRate")}
            value={runs.errorRate === null ? "–" : percent(runs.errorRate)}
          />
          <Figure name="p50" value={runs.p50Seconds === null ? "–" : durationText(runs.p50Seconds * 1_000)} />
          <Figure name="p95" value={runs.p95Seconds === null ? "–" : durationText(runs.p95Seconds * 1_000)} />
        </dl>
      )}
      {(structure.error ?? statistics.error) && <ErrorNote error={structure.error ?? statistics.error} />}
      {structure.data && (
        <div className={styles.graph}>
          <GraphView
            graph={structure.data.graph}
            marks={marks}
            selected={search.node}
            onSelect={(node) =>
              void navigate({
                to: "/flows/$flowId",
                params: { flowId },
                search: { ...search, node },
                replace: true,
              })
            }
            label={t("flow.graph")}
          />
        </div>
      )}
    </Panel>
  );
}

function Figure({ name, value }: { name: string; value: string }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

const RECENT = 8;

function RecentRuns({ flowId }: { flowId: string }): ReactNode {
  const t = useT();
  const runs = useRuns({ flow: flowId });
  const recent = runs.data?.pages[0]?.data.slice(0, RECENT) ?? [];
  return (
    <Panel
      title={t("nav.runs")}
      actions={
        <Link to="/runs" search={{ flow: flowId }}>
          {t("flow.runs")}
        </Link>
      }
    >
      {runs.error && <ErrorNote error={runs.error} />}
      {runs.data && recent.length === 0 && <p className="muted">{t("runs.none")}</p>}
      {recent.length > 0 && (
        <TableFrame label={t("flow.runs")}>
          <table>
            <tbody>
              {recent.map((run) => (
                <tr key={run.id}>
                  <td>
                    <Status status={run.status} />
                  </td>
                  <td>
                    <Link to="/runs/$runId" params={{ runId: run.id }} className="mono">
                      {run.id}
                    </Link>
                  </td>
                  <td className="muted">{run.version}</td>
                  <td className="muted">
                    <Ago value={run.createdAt} />
                  </td>
                  <td>{run.startedAt && <Duration from={run.startedAt} to={run.completedAt} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
    </Panel>
  );
}
