import { type FormEvent, type ReactNode, useState } from "react";
import { eventKinds } from "@millrace/contract/event-kinds";
import { ENDPOINTS } from "../../api/event-endpoints.ts";
import { useManage } from "../../api/manage.ts";
import { currentOrganization } from "../../lib/session.ts";
import { useT } from "../../texts/texts.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import choices from "../../ui/choices.module.css";

export function NewEndpoint({ onClose }: { onClose: () => void }): ReactNode {
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
        <fieldset className={choices.choices}>
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
