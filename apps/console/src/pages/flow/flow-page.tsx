import { Link, useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useActivation, useFlow } from "../../api/flows.ts";
import { useRuns } from "../../api/runs.ts";
import { mayAct } from "../../lib/session.ts";
import { useT } from "../../texts/texts.tsx";
import { ErrorNote, Loading } from "../../ui/notes.tsx";
import { Page, Panel, TableFrame } from "../../ui/page.tsx";
import { Status } from "../../ui/status.tsx";
import { Ago, Duration } from "../../ui/time.tsx";
import { FlowHeat } from "./flow-heat.tsx";
import { SchedulesPanel } from "./schedules-panel.tsx";
import { TriggerDialog } from "./trigger-dialog.tsx";
import { VersionsPanel } from "./versions-panel.tsx";
import { WebhookPanel } from "./webhook-panel.tsx";

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
        <>
          {mayAct("admin") && <ActivationButton flowId={flowId} active={flow.data.active} />}
          {mayAct("member") && (
            <button type="button" className="primary" onClick={() => setTriggering(true)}>
              {t("flow.trigger")}
            </button>
          )}
        </>
      }
    >
      <p className="row muted small">
        <code>{flowId}</code>
        <span>{t(flow.data.active ? "flows.active" : "flows.inactive")}</span>
      </p>
      <FlowHeat flowId={flowId} />
      <RecentRuns flowId={flowId} />
      <VersionsPanel flowId={flowId} />
      <SchedulesPanel flowId={flowId} />
      {mayAct("admin") && <WebhookPanel flowId={flowId} />}
      {triggering && (
        <TriggerDialog flowId={flowId} input={flow.data.input} onClose={() => setTriggering(false)} />
      )}
    </Page>
  );
}

/** An inactive flow is started by hand and by programs, but not by webhooks and the clock. */
function ActivationButton({ flowId, active }: { flowId: string; active: boolean }): ReactNode {
  const t = useT();
  const activation = useActivation(flowId);
  return (
    <>
      {activation.error && <ErrorNote error={activation.error} />}
      <button
        type="button"
        title={t("flow.activationHelp")}
        disabled={activation.isPending}
        onClick={() => activation.mutate(!active)}
      >
        {t(active ? "flow.deactivate" : "flow.activate")}
      </button>
    </>
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
