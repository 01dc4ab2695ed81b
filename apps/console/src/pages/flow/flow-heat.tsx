import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { type NodeFigures, useFlowGraph, useFlowStatistics } from "../../api/flows.ts";
import type { NodeMark } from "../../graph/graph-model.ts";
import { GraphView } from "../../graph/graph-view.tsx";
import type { FlowSearch } from "../../search.ts";
import { type TextKey, useLanguage } from "../../texts/texts.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { Panel } from "../../ui/page.tsx";
import { durationText } from "../../ui/time.tsx";
import styles from "./flow-page.module.css";

const PERIODS = ["1h", "1d", "1w", "30d"] as const;
const MAX_STRIP = 12;

/** A version with what its nodes cost and how often they fail. */
export function FlowHeat({ flowId }: { flowId: string }): ReactNode {
  const { t, locale } = useLanguage();
  const search = useSearch({ from: "/shell/flows/$flowId" });
  const navigate = useNavigate();
  const period = search.period ?? "1d";
  const structure = useFlowGraph(flowId, search.version);
  const change = (changed: FlowSearch) =>
    void navigate({
      to: "/flows/$flowId",
      params: { flowId },
      search: { ...search, ...changed },
      replace: true,
    });
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
          ...((node.p95Seconds ?? 0) > 0.0005 && { heat: node.p95Seconds! / slowest }),
        },
      ]),
    );
  }, [statistics.data, locale, t]);
  const runs = statistics.data?.runs;
  return (
    <Panel
      title={t(titleOf(structure.data))}
      actions={
        <div className="row">
          <span className="muted small">{structure.data?.version}</span>
          {search.version !== undefined && (
            <button type="button" onClick={() => change({ version: undefined })}>
              {t("flow.showActive")}
            </button>
          )}
          <select
            aria-label={t("runs.period")}
            value={period}
            onChange={(event) => change({ period: event.target.value })}
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
      {statistics.data && statistics.data.nodes.length > 0 && <HeatStrip nodes={statistics.data.nodes} />}
      {(structure.error ?? statistics.error) && <ErrorNote error={structure.error ?? statistics.error} />}
      {structure.data && (
        <div className={styles.graph}>
          <GraphView
            graph={structure.data.graph}
            marks={marks}
            selected={search.node}
            onSelect={(node) => change({ node })}
            label={t("flow.graph")}
            zoom={search.zoom}
            onZoom={(zoom) => change({ zoom })}
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

/** The nodes by what they cost, the slowest first: where the time of this flow goes, at a glance. */
function HeatStrip({ nodes }: { nodes: readonly NodeFigures[] }): ReactNode {
  const { t } = useLanguage();
  const slowest = nodes
    .filter(({ p95Seconds }) => (p95Seconds ?? 0) > 0)
    .toSorted((one, other) => other.p95Seconds! - one.p95Seconds!)
    .slice(0, MAX_STRIP);
  const total = slowest.reduce((sum, { p95Seconds }) => sum + p95Seconds!, 0);
  if (total === 0) return null;
  return (
    <ol className={styles.strip} aria-label={t("flow.heat")}>
      {slowest.map(({ nodeId, p95Seconds, failed }) => (
        <li
          key={nodeId}
          data-failed={failed > 0}
          style={{ flexGrow: p95Seconds! / total }}
          title={`${nodeId}: p95 ${durationText(p95Seconds! * 1_000)}`}
        >
          <span>
            {nodeId} {durationText(p95Seconds! * 1_000)}
          </span>
        </li>
      ))}
    </ol>
  );
}

function titleOf(structure: { version: string; active: boolean } | undefined): TextKey {
  if (structure?.version === "draft") return "flows.draft";
  return structure?.active === false ? "flow.oldGraph" : "flow.graph";
}
