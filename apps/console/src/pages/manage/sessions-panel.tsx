import type { ReactNode } from "react";
import type { ConsoleSession } from "@millrace/client";
import { useManage, useManagedList } from "../../api/manage.ts";
import { mayAct } from "../../lib/session.ts";
import { useT } from "../../texts/texts.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { Panel } from "../../ui/page.tsx";
import { Ago } from "../../ui/time.tsx";
import { ManagedList } from "./managed-page.tsx";

const PATH = "/manage/sessions";

/** Who is signed in to the console: for owners everybody of the organization, for others themselves. */
export function SessionsPanel(): ReactNode {
  const t = useT();
  const sessions = useManagedList<ConsoleSession>(PATH, mayAct("owner") ? {} : { organizationId: undefined });
  const end = useManage<unknown, string>(PATH, (id) => ({
    path: `${PATH}/${encodeURIComponent(id)}`,
    method: "DELETE",
  }));
  return (
    <Panel title={t("sessions.title")}>
      {end.error && <ErrorNote error={end.error} />}
      <ManagedList
        title={t("sessions.title")}
        list={sessions}
        keyOf={({ id }) => id}
        empty={{ title: t("sessions.none") }}
        columns={[
          { name: t("members.user"), cell: ({ userId }) => <span className="mono">{userId}</span> },
          { name: t("sessions.method"), cell: ({ method }) => t(`sessions.${method}`) },
          { name: t("sessions.from"), cell: ({ address }) => address },
          { name: t("sessions.seen"), cell: ({ lastSeenAt }) => <Ago value={lastSeenAt} /> },
          {
            name: t("actions"),
            hidden: true,
            cell: ({ id, userId, current }) =>
              current ? (
                <span className="muted">{t("sessions.current")}</span>
              ) : (
                <button
                  type="button"
                  className="danger"
                  disabled={end.isPending}
                  aria-label={`${t("sessions.end")}: ${userId}`}
                  onClick={() => end.mutate(id)}
                >
                  {t("sessions.end")}
                </button>
              ),
          },
        ]}
      />
    </Panel>
  );
}
