import { type FormEvent, type ReactNode, useState } from "react";
import { useManage, useManagedList } from "../../api/manage.ts";
import { currentOrganization, mayAct } from "../../lib/session.ts";
import { useT } from "../../texts/texts.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Choice, Field } from "../../ui/field.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { Ago } from "../../ui/time.tsx";
import { ManagedPage } from "./managed-page.tsx";

interface Credential {
  readonly id: string;
  readonly type: string;
  readonly allowedHosts: readonly string[];
  readonly createdAt: string;
  readonly updatedAt?: string;
}

const PATH = "/manage/credentials";

/** Which fields a secret of each type has. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  "http-bearer": ["token"],
  "http-basic": ["user", "password"],
  "http-header": ["name", "value"],
  postgres: ["url"],
  smtp: ["host", "port", "user", "password"],
  "model-provider": ["baseUrl", "apiKey"],
};

export function CredentialsPage(): ReactNode {
  const t = useT();
  const credentials = useManagedList<Credential>(PATH);
  const [setting, setSetting] = useState<Credential | "new">();
  const [deleting, setDeleting] = useState<Credential>();
  const remove = useManage<unknown, string>(PATH, (id) => ({
    path: `${PATH}/${id}`,
    method: "DELETE",
    query: { organizationId: currentOrganization() },
  }));
  return (
    <ManagedPage
      title={t("nav.credentials")}
      list={credentials}
      keyOf={({ id }) => id}
      empty={{
        title: t("credentials.none"),
        text: t("credentials.noneText"),
        command:
          "npx millrace credentials set cred_crm --type http-bearer --host api.example.com < token.txt",
      }}
      actions={
        mayAct("admin") && (
          <button type="button" className="primary" onClick={() => setSetting("new")}>
            {t("credentials.add")}
          </button>
        )
      }
      columns={[
        { name: t("flows.id"), title: true, cell: ({ id }) => <span className="mono">{id}</span> },
        { name: t("node.type"), cell: ({ type }) => type },
        { name: t("credentials.hosts"), cell: ({ allowedHosts }) => allowedHosts.join(", ") },
        {
          name: t("flows.updated"),
          cell: ({ createdAt, updatedAt }) => <Ago value={updatedAt ?? createdAt} />,
        },
        {
          name: t("actions"),
          hidden: true,
          cell: (credential) =>
            mayAct("admin") && (
              <div className="row">
                <button type="button" onClick={() => setSetting(credential)}>
                  {t("credentials.replace")}
                </button>
                <button type="button" className="danger" onClick={() => setDeleting(credential)}>
                  {t("credentials.delete")}
                </button>
              </div>
            ),
        },
      ]}
    >
      {setting && (
        <SetCredential
          present={setting === "new" ? undefined : setting}
          onClose={() => setSetting(undefined)}
        />
      )}
      {deleting && (
        <Confirm
          title={t("credentials.deleteTitle", { id: deleting.id })}
          text={t("credentials.deleteText")}
          action={t("credentials.delete")}
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(deleting.id, { onSuccess: () => setDeleting(undefined) })}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </ManagedPage>
  );
}

function SetCredential({
  present,
  onClose,
}: {
  present: Credential | undefined;
  onClose: () => void;
}): ReactNode {
  const t = useT();
  const [id, setId] = useState(present?.id ?? "");
  const [type, setType] = useState(present?.type ?? "http-bearer");
  const [hosts, setHosts] = useState(present?.allowedHosts.join(", ") ?? "");
  const [secret, setSecret] = useState<Readonly<Record<string, string>>>({});
  const set = useManage<unknown, void>(PATH, () => ({
    path: `${PATH}/${id}`,
    method: "PUT",
    body: {
      organizationId: currentOrganization(),
      type,
      allowedHosts: hosts
        .split(",")
        .map((host) => host.trim())
        .filter(Boolean),
      secret,
    },
  }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    set.mutate(undefined, { onSuccess: onClose });
  };
  return (
    <Dialog title={t(present ? "credentials.replace" : "credentials.add")} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p className="muted">{t("credentials.text")}</p>
        <Field
          label={t("flows.id")}
          required
          readOnly={present !== undefined}
          pattern="[A-Za-z0-9_\-]{1,64}"
          value={id}
          onChange={(event) => setId(event.target.value)}
        />
        <Choice
          label={t("node.type")}
          value={type}
          options={Object.keys(FIELDS).map((one) => ({ value: one, text: one }))}
          onChange={(chosen) => {
            setType(chosen);
            setSecret({});
          }}
        />
        <Field
          label={t("credentials.hosts")}
          help={t("credentials.hostsHelp")}
          value={hosts}
          onChange={(event) => setHosts(event.target.value)}
        />
        {(FIELDS[type] ?? []).map((name) => (
          <Field
            key={name}
            label={name}
            type="password"
            autoComplete="off"
            required
            value={secret[name] ?? ""}
            onChange={(event) => setSecret({ ...secret, [name]: event.target.value })}
          />
        ))}
        {set.error && <ErrorNote error={set.error} />}
        <div className="row">
          <button type="submit" className="primary" disabled={set.isPending}>
            {t("action.save")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
