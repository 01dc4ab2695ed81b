import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { type Endpoint, ENDPOINTS, useEndpoints, useSigningSecret } from "../../api/event-endpoints.ts";
import { useManage } from "../../api/manage.ts";
import { currentOrganization, mayAct } from "../../lib/session.ts";
import { useLanguage, useT } from "../../texts/texts.tsx";
import { CopyLine } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorNote, Loading } from "../../ui/notes.tsx";
import { type AnyStatus, Status } from "../../ui/status.tsx";
import { Ago } from "../../ui/time.tsx";
import { ManagedList } from "./managed-page.tsx";

const LOOKS: Readonly<Record<Endpoint["state"], AnyStatus>> = {
  new: "WAITING",
  healthy: "COMPLETED",
  failing: "FAILED",
  disabled: "CANCELED",
};

/** Addresses that are told of what happens, and how that goes. */
export function Endpoints(): ReactNode {
  const { t, locale } = useLanguage();
  const endpoints = useEndpoints();
  const [asked, setAsked] = useState<string>();
  const act = useManage<
    { delivered?: boolean; failure?: string },
    { id: string; verb: "enable" | "disable" | "test" }
  >(ENDPOINTS, ({ id, verb }) => ({
    path: `${ENDPOINTS}/${id}/${verb}`,
    method: "POST",
    query: { organizationId: currentOrganization() },
  }));
  const tested = act.variables?.verb === "test" ? act.data : undefined;
  return (
    <>
      {act.error && <ErrorNote error={act.error} />}
      {tested && (
        <p role="status">
          {act.variables?.id}:{" "}
          {tested.delivered
            ? t("endpoints.tested")
            : t("endpoints.testFailed", { failure: tested.failure ?? "" })}
        </p>
      )}
      <ManagedList
        title={t("endpoints.title")}
        list={endpoints}
        keyOf={({ id }) => id}
        empty={{ title: t("endpoints.none"), text: t("endpoints.noneText") }}
        columns={[
          { name: t("flows.id"), title: true, cell: ({ id }) => <span className="mono">{id}</span> },
          { name: t("endpoints.url"), cell: ({ url }) => <span className="mono">{url}</span> },
          { name: t("endpoints.events"), cell: ({ events }) => events.join(", ") },
          {
            name: t("flows.state"),
            cell: ({ state, lastFailure, lastFailureAt }) => (
              <>
                <Status status={LOOKS[state]} words={t(`endpoints.${state}`)} />
                {state === "failing" && lastFailure && (
                  <p className="muted small">
                    {lastFailure} {lastFailureAt && <Ago value={lastFailureAt} />}
                  </p>
                )}
              </>
            ),
          },
          {
            name: t("endpoints.delivered"),
            className: "number",
            cell: ({ delivered }) => delivered.toLocaleString(locale),
          },
          {
            name: t("endpoints.retrying"),
            className: "number",
            cell: ({ retrying }) => retrying > 0 && retrying.toLocaleString(locale),
          },
          {
            name: t("actions"),
            hidden: true,
            cell: ({ id, enabled }) => (
              <div className="row">
                <Link to="/webhooks" search={{ endpoint: id }} className="button">
                  {t("deliveries.title")}
                </Link>
                {mayAct("admin") && (
                  <>
                    <button
                      type="button"
                      disabled={act.isPending}
                      onClick={() => act.mutate({ id, verb: "test" })}
                    >
                      {t("endpoints.test")}
                    </button>
                    <button type="button" onClick={() => setAsked(id)}>
                      {t("endpoints.secret")}
                    </button>
                    <button
                      type="button"
                      disabled={act.isPending}
                      onClick={() => act.mutate({ id, verb: enabled ? "disable" : "enable" })}
                    >
                      {t(enabled ? "webhooks.disable" : "webhooks.enable")}
                    </button>
                  </>
                )}
              </div>
            ),
          },
        ]}
      />
      {asked !== undefined && <SecretDialog id={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

function SecretDialog({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const t = useT();
  const secret = useSigningSecret(id);
  return (
    <Dialog title={`${t("endpoints.secret")}: ${id}`} onClose={onClose}>
      {secret.isPending && <Loading />}
      {secret.error && <ErrorNote error={secret.error} />}
      {secret.data && <CopyLine text={secret.data.secret} secret />}
    </Dialog>
  );
}
