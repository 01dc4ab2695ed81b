import { type FormEvent, type ReactNode, useState } from "react";
import { useManage, useManagedList } from "../../api/manage.ts";
import { currentOrganization, mayAct, type Role, roles } from "../../lib/session.ts";
import { useT } from "../../texts/texts.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Choice, Field } from "../../ui/field.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { ManagedPage } from "./managed-page.tsx";
import { SessionsPanel } from "./sessions-panel.tsx";

interface Member {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly disabled: boolean;
}

const PATH = "/manage/members";

export function MembersPage(): ReactNode {
  const t = useT();
  const members = useManagedList<Member>(PATH);
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Member>();
  const change = useManage<unknown, { userId: string; role: string }>(PATH, ({ userId, role }) => ({
    path: `${PATH}/${userId}`,
    method: "PATCH",
    body: { organizationId: currentOrganization(), role },
  }));
  const remove = useManage<unknown, string>(PATH, (userId) => ({
    path: `${PATH}/${userId}`,
    method: "DELETE",
    query: { organizationId: currentOrganization() },
  }));
  const owner = mayAct("owner");
  return (
    <ManagedPage
      after={<SessionsPanel />}
      title={t("nav.members")}
      list={members}
      keyOf={({ userId }) => userId}
      empty={{ title: t("members.none") }}
      actions={
        owner && (
          <button type="button" className="primary" onClick={() => setAdding(true)}>
            {t("members.add")}
          </button>
        )
      }
      columns={[
        { name: t("flows.name"), title: true, cell: ({ name }) => name },
        { name: t("members.email"), cell: ({ email }) => email },
        { name: t("members.user"), cell: ({ userId }) => <span className="mono">{userId}</span> },
        {
          name: t("members.role"),
          cell: ({ userId, name, role }) =>
            owner ? (
              <select
                aria-label={`${t("members.role")}: ${name}`}
                value={role}
                onChange={(event) => change.mutate({ userId, role: event.target.value })}
              >
                {roles.map((one) => (
                  <option key={one} value={one}>
                    {t(`role.${one}`)}
                  </option>
                ))}
              </select>
            ) : (
              t(`role.${role}`)
            ),
        },
        { name: t("flows.state"), cell: ({ disabled }) => t(disabled ? "members.disabled" : "flows.active") },
        {
          name: t("actions"),
          hidden: true,
          cell: (member) =>
            owner && (
              <button
                type="button"
                className="danger"
                aria-label={`${t("members.remove")}: ${member.name}`}
                onClick={() => setRemoving(member)}
              >
                {t("members.remove")}
              </button>
            ),
        },
      ]}
    >
      {change.error && <ErrorNote error={change.error} />}
      {adding && <NewMember onClose={() => setAdding(false)} />}
      {removing && (
        <Confirm
          title={t("members.removeTitle", { name: removing.name })}
          text={t("members.removeText")}
          action={t("members.remove")}
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(removing.userId, { onSuccess: () => setRemoving(undefined) })}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </ManagedPage>
  );
}

function NewMember({ onClose }: { onClose: () => void }): ReactNode {
  const t = useT();
  const [wanted, setWanted] = useState({ userId: "", email: "", name: "", role: "member" });
  const add = useManage<unknown, void>(PATH, () => ({
    path: PATH,
    method: "POST",
    body: { organizationId: currentOrganization(), ...wanted },
  }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(undefined, { onSuccess: onClose });
  };
  return (
    <Dialog title={t("members.add")} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field
          label={t("flows.name")}
          required
          value={wanted.name}
          onChange={(event) => setWanted({ ...wanted, name: event.target.value })}
        />
        <Field
          label={t("members.email")}
          type="email"
          required
          value={wanted.email}
          onChange={(event) => setWanted({ ...wanted, email: event.target.value })}
        />
        <Field
          label={t("members.user")}
          help={t("members.userHelp")}
          required
          pattern="[A-Za-z0-9_\-]{1,64}"
          value={wanted.userId}
          onChange={(event) => setWanted({ ...wanted, userId: event.target.value })}
        />
        <Choice
          label={t("members.role")}
          value={wanted.role}
          options={roles.map((one) => ({ value: one, text: t(`role.${one}`) }))}
          onChange={(role) => setWanted({ ...wanted, role })}
        />
        {add.error && <ErrorNote error={add.error} />}
        <div className="row">
          <button type="submit" className="primary" disabled={add.isPending}>
            {t("members.add")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
