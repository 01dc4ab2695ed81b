import type { ReactNode } from "react";
import { useManage } from "../../api/manage.ts";
import { SCHEDULES, type Schedule, useSchedules } from "../../api/schedules.ts";
import { mayAct } from "../../lib/session.ts";
import { useT } from "../../texts/texts.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { NextTimes } from "../flow/schedules-panel.tsx";
import { useFlowColumn } from "./flow-column.tsx";
import { ManagedPage } from "./managed-page.tsx";

/** Flows that start by the clock, and when they do next. */
export function SchedulesPage(): ReactNode {
  const t = useT();
  const schedules = useSchedules();
  const flowColumn = useFlowColumn();
  const act = useManage<unknown, { schedule: Schedule; verb: "run" | "pause" | "resume" }>(
    SCHEDULES,
    ({ schedule, verb }) => ({
      path: `/manage/flows/${schedule.flowId}/schedules/${schedule.id}/${verb}`,
      method: "POST",
    }),
  );
  return (
    <ManagedPage
      title={t("nav.schedules")}
      list={schedules}
      keyOf={({ flowId, id }) => `${flowId} ${id}`}
      empty={{
        title: t("schedules.none"),
        text: t("schedules.noneText"),
        command: 'schedules: [{ id: nightly, cron: "0 3 * * *", timezone: Europe/Istanbul }]',
      }}
      columns={[
        flowColumn,
        { name: t("flows.id"), cell: ({ id }) => <span className="mono">{id}</span> },
        {
          name: t("schedules.cron"),
          cell: ({ cron, timezone }) => (
            <span>
              <code>{cron}</code> <span className="muted">{timezone}</span>
            </span>
          ),
        },
        { name: t("flows.state"), cell: ({ state }) => t(`schedules.${state}`) },
        {
          name: t("schedules.nextTimes"),
          cell: (schedule) => schedule.next.length > 0 && <NextTimes schedule={schedule} />,
        },
        {
          name: t("actions"),
          hidden: true,
          cell: (schedule) => (
            <div className="row">
              {mayAct("member") && (
                <button
                  type="button"
                  disabled={act.isPending}
                  onClick={() => act.mutate({ schedule, verb: "run" })}
                >
                  {t("schedules.run")}
                </button>
              )}
              {mayAct("admin") && (
                <button
                  type="button"
                  disabled={act.isPending}
                  onClick={() =>
                    act.mutate({ schedule, verb: schedule.state === "paused" ? "resume" : "pause" })
                  }
                >
                  {t(schedule.state === "paused" ? "schedules.resume" : "schedules.pause")}
                </button>
              )}
            </div>
          ),
        },
      ]}
    >
      {act.error && <ErrorNote error={act.error} />}
      <p role="status" className={act.isSuccess ? undefined : "visually-hidden"}>
        {act.isSuccess && act.variables.verb === "run" ? t("schedules.started") : ""}
      </p>
    </ManagedPage>
  );
}
