import { type FormEvent, type ReactNode, useState } from "react";
import { useManage, useManagedList } from "../../api/manage.ts";
import { currentOrganization, type Role, roles, mayAct } from "../../lib/session.ts";
import { useT } from "../../texts/texts.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { CopyLine } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Choice, Field } from "../../ui/field.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { Ago } from "../../ui/time.tsx";
import { ManagedPage } from "./managed-page.tsx";

interface ManagedKey {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly role: Role;
  readonly userId: string;
  readonly state: "active" | "rotated" | "expired" | "revoked";
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly lastUsedAt?: string;
}

const PATH = "/manage/keys";

export function KeysPage(): ReactNode {
  const t = useT();
  const keys = useManagedList<ManagedKey>(PATH);
  const [making, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<ManagedKey>();
  const revoke = useManage<unknown, string>(PATH, (id) => ({ path: `${PATH}/${id}`, method: "DELETE" }));
  return (
    <ManagedPage
      title={t("nav.keys")}
      list={keys}
      keyOf={({ id }) => id}
      empty={{
        title: t("keys.none"),
        text: t("keys.noneText"),
        command: `npx millrace keys create --org ${currentOrganization()} --name ci --expires 90d`,
      }}
      actions={
        mayAct("admin") && (
          <button type="button" className="primary" onClick={() => setMaking(true)}>
            {t("keys.create")}
          </button>
        )
      }
      columns={[
        { name: t("flows.name"), title: true, cell: ({ name }) => name },
        { name: t("keys.hint"), cell: ({ hint }) => <code>{hint}</code> },
        { name: t("members.role"), cell: ({ role }) => t(`role.${role}`) },
        { name: t("members.user"), cell: ({ userId }) => <span className="mono">{userId}</span> },
        { name: t("flows.state"), cell: ({ state }) => t(`keys.${state}`) },
        {
          name: t("keys.lastUsed"),
          cell: ({ lastUsedAt }) => (lastUsedAt ? <Ago value={lastUsedAt} /> : t("keys.never")),
        },
        {
          name: t("keys.expires"),
          cell: ({ state, expiresAt }) => state !== "revoked" && <Ago value={expiresAt} />,
        },
        {
          name: t("actions"),
          hidden: true,
          cell: (key) =>
            mayAct("admin") &&
            (key.state === "active" || key.state === "rotated") && (
              <button
                type="button"
                className="danger"
                aria-label={`${t("keys.revoke")}: ${key.name}`}
                onClick={() => setRevoking(key)}
              >
                {t("keys.revoke")}
              </button>
            ),
        },
      ]}
    >
      {making && <NewKey onClose={() => setMaking(false)} />}
      {revoking && (
        <Confirm
          title={t("keys.revokeTitle", { name: revoking.name })}
          text={t("keys.revokeText")}
          action={t("keys.revoke")}
          busy={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate(revoking.id, { onSuccess: () => setRevoking(undefined) })}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </ManagedPage>
  );
}

const LIFETIMES = ["1d", "30d", "90d", "365d"] as const;

function NewKey({ onClose }: { onClose: () => void }): ReactNode {
  const t = useT();
  const [name, setName] = useState("");
  const [role, setRole] = useState<string>("member");
  const [expiresIn, setExpiresIn] = useState<string>("90d");
  const create = useManage<{ key: string }, void>(PATH, () => ({
    path: PATH,
    method: "POST",
    body: { organizationId: currentOrganization(), name, role, expiresIn },
  }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  if (create.data)
    return (
      <Dialog
        title={t("keys.created")}
        onClose={onClose}
        footer={
          <button type="button" className="primary" onClick={onClose}>
            {t("keys.kept")}
          </button>
        }
      >
        <p>{t("keys.createdText")}</p>
        <CopyLine text={create.data.key} secret />
      </Dialog>
    );
  return (
    <Dialog title={t("keys.create")} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field
          label={t("flows.name")}
          help={t("keys.nameHelp")}
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Choice
          label={t("members.role")}
          value={role}
          options={roles.filter(mayAct).map((one) => ({ value: one, text: t(`role.${one}`) }))}
          onChange={setRole}
        />
        <Choice
          label={t("keys.lifetime")}
          value={expiresIn}
          options={LIFETIMES.map((one) => ({ value: one, text: t(`lifetime.${one}`) }))}
          onChange={setExpiresIn}
        />
        {create.error && <ErrorNote error={create.error} />}
        <div className="row">
          <button type="submit" className="primary" disabled={create.isPending || name.trim() === ""}>
            {t("keys.create")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
