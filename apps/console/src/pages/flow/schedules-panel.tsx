import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useWholeList } from "../../api/manage.ts";
import { type Schedule, SCHEDULES } from "../../api/schedules.ts";
import { useT } from "../../texts/texts.tsx";
import { Panel } from "../../ui/page.tsx";
import { FullTime } from "../../ui/time.tsx";

/** When the clock starts this flow next. */
export function SchedulesPanel({ flowId }: { flowId: string }): ReactNode {
  const t = useT();
  const schedules = useWholeList<Schedule>(SCHEDULES);
  const own = schedules.data?.filter((one) => one.flowId === flowId) ?? [];
  if (own.length === 0) return null;
  return (
    <Panel title={t("nav.schedules")} actions={<Link to="/schedules">{t("schedules.all")}</Link>}>
      <ul className="stack">
        {own.map((schedule) => (
          <li key={schedule.id} className="stack">
            <p className="row">
              <code>{schedule.cron}</code>
              <span className="muted">{schedule.timezone}</span>
              <span>{t(`schedules.${schedule.state}`)}</span>
            </p>
            <NextTimes schedule={schedule} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function NextTimes({ schedule }: { schedule: Schedule }): ReactNode {
  return (
    <ol>
      {schedule.next.map((moment) => (
        <li key={moment} className="small">
          <FullTime value={moment} />
        </li>
      ))}
    </ol>
  );
}
