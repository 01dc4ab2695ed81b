import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import { useManage, useManagedList } from "../../api/manage.ts";
import { requestData } from "../../api/request.ts";
import { currentOrganization, mayAct } from "../../lib/session.ts";
import { useLanguage, useT } from "../../texts/texts.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { FullTime } from "../../ui/time.tsx";
import { ManagedPage } from "./managed-page.tsx";

interface Entry {
  readonly id: string;
  readonly kind: "opening" | "grant" | "reserve" | "settle" | "carry";
  readonly amount: number;
  readonly runId?: string;
  readonly note?: string;
  readonly createdAt: string;
}

const PATH = "/manage/credits";
const ENTRIES = "/manage/credits/entries";

export function CreditsPage(): ReactNode {
  const { t, locale } = useLanguage();
  const [granting, setGranting] = useState(false);
  const entries = useManagedList<Entry>(ENTRIES);
  const credits = useQuery({
    queryKey: [ENTRIES, "balance"],
    queryFn: ({ signal }) =>
      requestData<{ limited: boolean; balance: number }>(PATH, {
        query: { organizationId: currentOrganization() },
        signal,
      }),
  });
  return (
    <ManagedPage
      title={t("nav.credits")}
      list={entries}
      keyOf={({ id }) => id}
      empty={{ title: t("credits.none"), text: t("credits.noneText") }}
      actions={
        mayAct("owner") &&
        credits.data?.limited && (
          <button type="button" className="primary" onClick={() => setGranting(true)}>
            {t("credits.grant")}
          </button>
        )
      }
      columns={[
        { name: t("audit.when"), cell: ({ createdAt }) => <FullTime value={createdAt} /> },
        {
          name: t("credits.kind"),
          cell: ({ kind }) => t(kind === "grant" ? "credits.granted" : `credits.${kind}`),
        },
        {
          name: t("credits.amount"),
          cell: ({ amount }) => <span className="number">{amount.toLocaleString(locale)}</span>,
        },
        {
          name: t("runs.run"),
          cell: ({ runId }) =>
            runId && (
              <Link to="/runs/$runId" params={{ runId }} className="mono">
                {runId}
              </Link>
            ),
        },
        { name: t("credits.note"), cell: ({ note }) => note },
      ]}
    >
      {credits.error && <ErrorNote error={credits.error} />}
      {credits.data && (
        <p>
          {credits.data.limited
            ? t("credits.balance", { amount: credits.data.balance.toLocaleString(locale) })
            : t("credits.unlimited")}
        </p>
      )}
      {granting && <Grant onClose={() => setGranting(false)} />}
    </ManagedPage>
  );
}

function Grant({ onClose }: { onClose: () => void }): ReactNode {
  const t = useT();
  const [amount, setAmount] = useState("");
  const [note, setNote] = useState("");
  const grant = useManage<unknown, void>(ENTRIES, () => ({
    path: ENTRIES,
    method: "POST",
    body: { organizationId: currentOrganization(), amount: Number(amount), ...(note && { note }) },
  }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    grant.mutate(undefined, { onSuccess: onClose });
  };
  return (
    <Dialog title={t("credits.grant")} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field
          label={t("credits.amount")}
          help={t("credits.amountHelp")}
          type="number"
          step={1}
          required
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
        />
        <Field label={t("credits.note")} value={note} onChange={(event) => setNote(event.target.value)} />
        {grant.error && <ErrorNote error={grant.error} />}
        <div className="row">
          <button type="submit" className="primary" disabled={grant.isPending}>
            {t("credits.grant")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
