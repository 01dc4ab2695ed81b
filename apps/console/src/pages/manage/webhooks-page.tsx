import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import { eventKinds } from "@millrace/contract/event-kinds";
import { useManage, useManagedList } from "../../api/manage.ts";
import { type ManagedWebhook, WEBHOOKS } from "../../api/webhooks.ts";
import { currentOrganization, mayAct } from "../../lib/session.ts";
import { useLanguage, useT } from "../../texts/texts.tsx";
import { CopyLine } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { Page, Panel } from "../../ui/page.tsx";
import { Deliveries } from "./deliveries.tsx";
import { ManagedList } from "./managed-page.tsx";
import styles from "./webhooks-page.module.css";

interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly state: "new" | "healthy" | "failing" | "disabled";
  readonly delivered: number;
  readonly retrying: number;
  readonly lastFailure?: string;
}

const ENDPOINTS = "/manage/event-endpoints";

/** Addresses that start flows, and addresses that are told of what happens. */
export function WebhooksPage(): ReactNode {
  const t = useT();
  const { endpoint } = useSearch({ from: "/shell/webhooks" });
  const [adding, setAdding] = useState(false);
  return (
    <Page
      title={t("nav.webhooks")}
      actions={
        mayAct("admin") && (
          <button type="button" className="primary" onClick={() => setAdding(true)}>
            {t("endpoints.add")}
          </button>
        )
      }
    >
      <Panel title={t("endpoints.title")}>
        <Endpoints />
      </Panel>
      {endpoint !== undefined && <Deliveries endpointId={endpoint} />}
      {mayAct("admin") && (
        <Panel title={t("webhooks.title")}>
          <InboundWebhooks />
        </Panel>
      )}
      {adding && <NewEndpoint onClose={() => setAdding(false)} />}
    </Page>
  );
}

function Endpoints(): ReactNode {
  const { t, locale } = useLanguage();
  const navigate = useNavigate();
  const endpoints = useManagedList<Endpoint>(ENDPOINTS);
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
          { name: t("flows.id"), cell: ({ id }) => <span className="mono">{id}</span> },
          { name: t("endpoints.url"), cell: ({ url }) => <span className="mono">{url}</span> },
          { name: t("endpoints.events"), cell: ({ events }) => events.join(", ") },
          {
            name: t("flows.state"),
            cell: ({ state, lastFailure }) => <span title={lastFailure}>{t(`endpoints.${state}`)}</span>,
          },
          { name: t("endpoints.delivered"), cell: ({ delivered }) => delivered.toLocaleString(locale) },
          { name: t("endpoints.retrying"), cell: ({ retrying }) => retrying.toLocaleString(locale) },
          {
            name: t("actions"),
            hidden: true,
            cell: ({ id, enabled }) => (
              <div className="row">
                <button
                  type="button"
                  onClick={() => void navigate({ to: "/webhooks", search: { endpoint: id } })}
                >
                  {t("deliveries.title")}
                </button>
                {mayAct("admin") && (
                  <>
                    <button
                      type="button"
                      disabled={act.isPending}
                      onClick={() => act.mutate({ id, verb: "test" })}
                    >
                      {t("endpoints.test")}
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
    </>
  );
}

function InboundWebhooks(): ReactNode {
  const t = useT();
  const webhooks = useManagedList<ManagedWebhook>(WEBHOOKS);
  const act = useManage<unknown, { flowId: string; verb: "enable" | "disable" | "regenerate" }>(
    WEBHOOKS,
    ({ flowId, verb }) => ({ path: `${WEBHOOKS}/${flowId}/${verb}`, method: "POST" }),
  );
  return (
    <>
      {act.error && <ErrorNote error={act.error} />}
      <ManagedList
        title={t("webhooks.title")}
        list={webhooks}
        keyOf={({ flowId }) => flowId}
        empty={{
          title: t("webhooks.none"),
          text: t("webhooks.noneText"),
          command: "webhook: { enabled: true }",
        }}
        columns={[
          { name: t("runs.flow"), cell: ({ flowId }) => <span className="mono">{flowId}</span> },
          { name: t("flows.state"), cell: ({ enabled }) => t(enabled ? "flows.active" : "flows.inactive") },
          { name: t("endpoints.url"), cell: ({ url }) => <CopyLine text={url} secret /> },
          {
            name: t("actions"),
            hidden: true,
            cell: ({ flowId, enabled }) => (
              <div className="row">
                <button
                  type="button"
                  disabled={act.isPending}
                  onClick={() => act.mutate({ flowId, verb: enabled ? "disable" : "enable" })}
                >
                  {t(enabled ? "webhooks.disable" : "webhooks.enable")}
                </button>
                <button
                  type="button"
                  className="danger"
                  disabled={act.isPending}
                  onClick={() => act.mutate({ flowId, verb: "regenerate" })}
                >
                  {t("webhooks.regenerate")}
                </button>
              </div>
            ),
          },
        ]}
      />
    </>
  );
}

function NewEndpoint({ onClose }: { onClose: () => void }): ReactNode {
  const t = useT();
  const [id, setId] = useState("");
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState<string[]>(["run.failed"]);
  const put = useManage<unknown, void>(ENDPOINTS, () => ({
    path: `${ENDPOINTS}/${id}`,
    method: "PUT",
    body: { organizationId: currentOrganization(), url, events },
  }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    put.mutate(undefined, { onSuccess: onClose });
  };
  return (
    <Dialog title={t("endpoints.add")} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field
          label={t("flows.id")}
          required
          pattern="[A-Za-z0-9_\-]{1,64}"
          placeholder="whk_alerts"
          value={id}
          onChange={(event) => setId(event.target.value)}
        />
        <Field
          label={t("endpoints.url")}
          type="url"
          required
          placeholder="https://"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <fieldset className={styles.events}>
          <legend>{t("endpoints.events")}</legend>
          {eventKinds.map((kind) => (
            <label key={kind}>
              <input
                type="checkbox"
                checked={events.includes(kind)}
                onChange={(event) =>
                  setEvents(
                    event.target.checked ? [...events, kind] : events.filter((other) => other !== kind),
                  )
                }
              />
              <code>{kind}</code>
            </label>
          ))}
        </fieldset>
        {put.error && <ErrorNote error={put.error} />}
        <div className="row">
          <button type="submit" className="primary" disabled={put.isPending || events.length === 0}>
            {t("action.save")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
