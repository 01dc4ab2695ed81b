import type { ReactNode } from "react";
import { useManage, useManagedList } from "../../api/manage.ts";
import { currentOrganization, mayAct } from "../../lib/session.ts";
import { useT } from "../../texts/texts.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { Panel } from "../../ui/page.tsx";
import { Ago } from "../../ui/time.tsx";
import { ManagedList } from "./managed-page.tsx";

interface Delivery {
  readonly eventId: string;
  readonly state: "delivered" | "retrying" | "failed";
  readonly attempts: number;
  readonly nextAt?: string;
  readonly lastAt?: string;
  readonly lastStatus?: number;
  readonly lastFailure?: string;
  readonly createdAt: string;
}

/** What was sent to an endpoint, and sending it again. */
export function Deliveries({ endpointId }: { endpointId: string }): ReactNode {
  const t = useT();
  const path = `/manage/event-endpoints/${endpointId}/deliveries`;
  const deliveries = useManagedList<Delivery>(path);
  const resend = useManage<{ resent: number }, string>(path, (eventId) => ({
    path: `${path}/resend`,
    method: "POST",
    query: { organizationId: currentOrganization() },
    body: { eventId },
  }));
  return (
    <Panel title={`${t("deliveries.title")}: ${endpointId}`}>
      {resend.error && <ErrorNote error={resend.error} />}
      <p role="status" className={resend.isSuccess ? undefined : "visually-hidden"}>
        {resend.isSuccess ? t("deliveries.resent") : ""}
      </p>
      <ManagedList
        title={t("deliveries.title")}
        list={deliveries}
        keyOf={({ eventId }) => eventId}
        empty={{ title: t("deliveries.none") }}
        columns={[
          { name: t("deliveries.event"), cell: ({ eventId }) => <span className="mono">{eventId}</span> },
          { name: t("flows.state"), cell: ({ state }) => t(`deliveries.${state}`) },
          { name: t("node.attempts"), cell: ({ attempts }) => attempts },
          {
            name: t("deliveries.answer"),
            cell: ({ lastStatus, lastFailure }) => [lastStatus, lastFailure].filter(Boolean).join(" ") || "–",
          },
          {
            name: t("deliveries.last"),
            cell: ({ lastAt, createdAt }) => <Ago value={lastAt ?? createdAt} />,
          },
          {
            name: t("actions"),
            hidden: true,
            cell: ({ eventId }) =>
              mayAct("member") && (
                <button type="button" disabled={resend.isPending} onClick={() => resend.mutate(eventId)}>
                  {t("deliveries.resend")}
                </button>
              ),
          },
        ]}
      />
    </Panel>
  );
}
