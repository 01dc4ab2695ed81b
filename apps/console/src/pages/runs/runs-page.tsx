import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { useFlows } from "../../api/flows.ts";
import { useRuns } from "../../api/runs.ts";
import { mayAct } from "../../lib/session.ts";
import type { RunsSearch } from "../../search.ts";
import { useT } from "../../texts/texts.tsx";
import { Empty, ErrorNote, Loading } from "../../ui/notes.tsx";
import { Page } from "../../ui/page.tsx";
import { BulkActions } from "./bulk-actions.tsx";
import { RunChart } from "./run-chart.tsx";
import { RunFilters } from "./run-filters.tsx";
import { RunTable } from "./run-table.tsx";
import styles from "./runs-page.module.css";

export function RunsPage(): ReactNode {
  const t = useT();
  const search = useSearch({ from: "/shell/runs" });
  const navigate = useNavigate();
  const runs = useRuns(search);
  const flows = useFlows().data ?? [];
  const rows = useMemo(() => runs.data?.pages.flatMap((page) => page.data) ?? [], [runs.data]);
  const filtered = Object.keys(search).length > 0;
  const change = (changed: RunsSearch) =>
    void navigate({ to: "/runs", search: { ...search, ...changed }, replace: true });

  const clear = () => void navigate({ to: "/runs", search: {} });

  return (
    <div className={styles.page}>
      <Page
        wide
        title={t("nav.runs")}
        actions={
          mayAct("member") && (
            <BulkActions
              search={search}
              offered={filtered && rows.length > 0}
              onDone={() => void runs.refetch()}
            />
          )
        }
      >
        <RunFilters search={search} flows={flows} onChange={change} onClear={clear} />
        {(filtered || runs.isPending || rows.length > 0) && <RunChart search={search} onChange={change} />}
      </Page>
      {runs.error && (
        <div className={styles.note}>
          <ErrorNote error={runs.error} retry={() => void runs.refetch()} />
        </div>
      )}
      {runs.isPending ? (
        <Loading />
      ) : rows.length === 0 && !runs.error ? (
        filtered ? (
          <Empty title={t("runs.noneFound")}>
            <button type="button" onClick={clear}>
              {t("runs.clear")}
            </button>
          </Empty>
        ) : (
          <Empty title={t("runs.none")} command={firstRun(flows[0]?.id)}>
            {t("runs.noneText")}
          </Empty>
        )
      ) : (
        <RunTable runs={rows} flows={flows} query={runs} search={search} />
      )}
    </div>
  );
}

function firstRun(flowId = "flow_hello"): string {
  return `curl -s ${location.origin}/api/runs -H "Authorization: Bearer $MILLRACE_API_KEY" -H "Content-Type: application/json" -d '{"payload":{"flowId":"${flowId}"}}'`;
}
