import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import { useManagedList } from "../../api/manage.ts";
import { type TextKey, useT } from "../../texts/texts.tsx";
import { JsonView } from "../../ui/json-view.tsx";
import { FullTime } from "../../ui/time.tsx";
import { ManagedPage } from "./managed-page.tsx";

interface AuditEntry {
  readonly id: string;
  readonly createdAt: string;
  readonly action: string;
  readonly target: string;
  readonly by: {
    readonly userId?: string;
    readonly via: "key" | "session" | "token" | "link" | "cli" | "service";
    readonly viaId?: string;
    readonly address?: string;
  };
  readonly before?: Record<string, unknown>;
  readonly after?: Record<string, unknown>;
}

/** The door through which somebody came. */
const VIA: Readonly<Record<AuditEntry["by"]["via"], TextKey>> = {
  key: "sessions.key",
  session: "audit.session",
  token: "audit.token",
  link: "sessions.link",
  cli: "audit.cli",
  service: "audit.service",
};

export function AuditPage(): ReactNode {
  const t = useT();
  const { action } = useSearch({ from: "/shell/audit" });
  const navigate = useNavigate();
  const [text, setText] = useState(action ?? "");
  const entries = useManagedList<AuditEntry>("/manage/audit", { "filter[action]": action });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ to: "/audit", search: text.trim() === "" ? {} : { action: text.trim() } });
  };
  return (
    <ManagedPage
      title={t("nav.audit")}
      list={entries}
      keyOf={({ id }) => id}
      empty={{ title: t("audit.none") }}
      columns={[
        { name: t("audit.when"), cell: ({ createdAt }) => <FullTime value={createdAt} /> },
        { name: t("audit.what"), cell: (entry) => <code>{entry.action}</code> },
        { name: t("audit.target"), cell: ({ target }) => <span className="mono">{target}</span> },
        {
          name: t("audit.who"),
          cell: ({ by }) => (
            <>
              {by.userId}{" "}
              <span className="muted">
                {by.userId ? "(" : ""}
                {[t(VIA[by.via]), by.address].filter(Boolean).join(", ")}
                {by.userId ? ")" : ""}
              </span>
            </>
          ),
        },
        {
          name: t("audit.change"),
          cell: ({ id, before, after }) =>
            (before ?? after) !== undefined && (
              <details>
                <summary>{t("audit.show")}</summary>
                <JsonView value={{ ...(before && { before }), ...(after && { after }) }} name={id} />
              </details>
            ),
        },
      ]}
    >
      <form className="row" onSubmit={submit}>
        <label htmlFor="audit-action">{t("audit.what")}</label>
        <input
          id="audit-action"
          type="search"
          placeholder="key.create"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit">{t("audit.filter")}</button>
      </form>
    </ManagedPage>
  );
}
