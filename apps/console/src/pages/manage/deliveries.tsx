import { type ReactNode, useState } from "react";
import { ENDPOINTS } from "../../api/event-endpoints.ts";
import { useManage, useManagedList } from "../../api/manage.ts";
import { currentOrganization, mayAct } from "../../lib/session.ts";
import { useT } from "../../texts/texts.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { Panel } from "../../ui/page.tsx";
import { type AnyStatus, Status } from "../../ui/status.tsx";
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

type ResendRequest = { readonly eventId: string } | { readonly since: string; readonly onlyFailed: true };

const STATES = ["delivered", "retrying", "failed"] as const;
const LOOKS: Readonly<Record<Delivery["state"], AnyStatus>> = {
  delivered: "COMPLETED",
  retrying: "PAUSED",
  failed: "FAILED",
};
/** Earlier than anything that was ever sent. */
const BEGINNING = "2000-01-01T00:00:00.000Z";
const EVERY_MS = 10_000;

/** What was sent to an endpoint, and sending it again. */
export function Deliveries({ endpointId }: { endpointId: string }): ReactNode {
  const t = useT();
  const path = `${ENDPOINTS}/${endpointId}/deliveries`;
  const [state, setState] = useState("");
  const deliveries = useManagedList<Delivery>(path, { "filter[state]": state }, EVERY_MS);
  const resend = useManage<{ resent: number }, ResendRequest>(path, (body) => ({
    path: `${path}/resend`,
    method: "POST",
    query: { organizationId: currentOrganization() },
    body,
  }));
  return (
    <Panel
      title={`${t("deliveries.title")}: ${endpointId}`}
      actions={
        <div className="row">
          <select
            aria-label={t("flows.state")}
            value={state}
            onChange={(event) => setState(event.target.value)}
          >
            <option value="">{t("deliveries.any")}</option>
            {STATES.map((one) => (
              <option key={one} value={one}>
                {t(`deliveries.${one}`)}
              </option>
            ))}
          </select>
          {mayAct("member") && (
            <button
              type="button"
              disabled={resend.isPending}
              onClick={() => resend.mutate({ since: BEGINNING, onlyFailed: true })}
            >
              {t("deliveries.resendFailed")}
            </button>
          )}
        </div>
      }
    >
      {resend.error && <ErrorNote error={resend.error} />}
      <p role="status" className={resend.isSuccess ? undefined : "visually-hidden"}>
        {resend.isSuccess ? `${t("deliveries.resend")}: ${resend.data.resent}` : ""}
      </p>
      <ManagedList
        title={t("deliveries.title")}
        list={deliveries}
        keyOf={({ eventId }) => eventId}
        empty={{ title: t("deliveries.none") }}
        columns={[
          {
            name: t("deliveries.event"),
            title: true,
            cell: ({ eventId }) => <span className="mono">{eventId}</span>,
          },
          {
            name: t("flows.state"),
            cell: ({ state: one }) => <Status status={LOOKS[one]} words={t(`deliveries.${one}`)} />,
          },
          { name: t("node.attempts"), cell: ({ attempts }) => attempts },
          {
            name: t("deliveries.answer"),
            cell: ({ lastStatus, lastFailure }) => [lastStatus, lastFailure].filter(Boolean).join(" "),
          },
          {
            name: t("deliveries.last"),
            cell: ({ lastAt, createdAt, nextAt }) => (
              <>
                <Ago value={lastAt ?? createdAt} />
                {nextAt && (
                  <span className="muted">
                    {" · "}
                    {t("schedules.next")} <Ago value={nextAt} />
                  </span>
                )}
              </>
            ),
          },
          {
            name: t("actions"),
            hidden: true,
            cell: ({ eventId }) =>
              mayAct("member") && (
                <button type="button" disabled={resend.isPending} onClick={() => resend.mutate({ eventId })}>
                  {t("deliveries.resend")}
                </button>
              ),
          },
        ]}
      />
    </Panel>
  );
}
