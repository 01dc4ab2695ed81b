import { Link, useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useActivation, useFlow } from "../../api/flows.ts";
import { useRuns } from "../../api/runs.ts";
import { mayAct } from "../../lib/session.ts";
import { useT } from "../../texts/texts.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { ErrorNote, Loading } from "../../ui/notes.tsx";
import { Page, Panel } from "../../ui/page.tsx";
import { Status } from "../../ui/status.tsx";
import { Ago, Duration } from "../../ui/time.tsx";
import { FlowHeat } from "./flow-heat.tsx";
import { SchedulesPanel } from "./schedules-panel.tsx";
import { TestsPanel } from "./tests-panel.tsx";
import { TriggerDialog } from "./trigger-dialog.tsx";
import { VersionsPanel } from "./versions-panel.tsx";
import { WebhookPanel } from "./webhook-panel.tsx";

export function FlowPage(): ReactNode {
  const t = useT();
  const { flowId } = useParams({ from: "/shell/flows/$flowId" });
  const flow = useFlow(flowId);
  const [triggering, setTriggering] = useState(false);
  if (flow.error && !flow.data)
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
          <Link to="/flows/$flowId/edit" params={{ flowId }} className="button">
            {t(mayAct("admin") ? "editor.edit" : "editor.look")}
          </Link>
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
      {mayAct("member") && <TestsPanel flowId={flowId} />}
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
        <DataTable
          label={t("flow.runs")}
          items={recent}
          keyOf={({ id }) => id}
          columns={[
            { name: t("runs.status"), title: true, cell: ({ status }) => <Status status={status} /> },
            {
              name: t("runs.run"),
              cell: ({ id }) => (
                <Link to="/runs/$runId" params={{ runId: id }} className="mono">
                  {id}
                </Link>
              ),
            },
            { name: t("runs.version"), className: "muted", cell: ({ version }) => version },
            {
              name: t("runs.created"),
              className: "muted",
              cell: ({ createdAt }) => <Ago value={createdAt} />,
            },
            {
              name: t("runs.duration"),
              cell: ({ startedAt, completedAt }) =>
                startedAt && <Duration from={startedAt} to={completedAt} />,
            },
          ]}
        />
      )}
    </Panel>
  );
}
