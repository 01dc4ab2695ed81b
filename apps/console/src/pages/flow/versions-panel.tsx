import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useManage, useManagedList } from "../../api/manage.ts";
import { requestData } from "../../api/request.ts";
import { mayAct } from "../../lib/session.ts";
import { useT } from "../../texts/texts.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorNote, Loading } from "../../ui/notes.tsx";
import { Panel } from "../../ui/page.tsx";
import { Ago } from "../../ui/time.tsx";
import { ManagedList } from "../manage/managed-page.tsx";

interface Version {
  readonly version: string;
  readonly active: boolean;
  readonly createdAt: string;
  readonly author?: string;
  readonly note?: string;
  readonly nodes: number;
}

/** What was in force and when, how two versions differ, and the way back. */
export function VersionsPanel({ flowId }: { flowId: string }): ReactNode {
  const t = useT();
  const queries = useQueryClient();
  const path = `/manage/flows/${flowId}/versions`;
  const versions = useManagedList<Version>(path, { organizationId: undefined });
  const active = versions.data?.pages.flatMap((page) => page.data).find((one) => one.active)?.version;
  const [compared, setCompared] = useState<string>();
  const [wanted, setWanted] = useState<string>();
  const rollBack = useManage<unknown, string>(path, (version) => ({
    path: `/manage/flows/${flowId}/rollback`,
    method: "POST",
    body: { version },
  }));
  return (
    <Panel title={t("versions.title")}>
      <ManagedList
        title={t("versions.title")}
        list={versions}
        keyOf={({ version }) => version}
        empty={{ title: t("versions.none") }}
        columns={[
          { name: t("runs.version"), cell: ({ version }) => <code>{version}</code> },
          { name: t("flows.state"), cell: ({ active }) => (active ? t("versions.active") : "") },
          { name: t("flows.updated"), cell: ({ createdAt }) => <Ago value={createdAt} /> },
          { name: t("audit.who"), cell: ({ author }) => author ?? "–" },
          { name: t("credits.note"), cell: ({ note }) => note ?? "" },
          {
            name: t("actions"),
            hidden: true,
            cell: ({ version, active }) =>
              !active && (
                <div className="row">
                  <button type="button" onClick={() => setCompared(version)}>
                    {t("versions.diff")}
                  </button>
                  {mayAct("admin") && (
                    <button type="button" onClick={() => setWanted(version)}>
                      {t("versions.rollBack")}
                    </button>
                  )}
                </div>
              ),
          },
        ]}
      />
      {compared !== undefined && active !== undefined && (
        <Difference flowId={flowId} from={compared} to={active} onClose={() => setCompared(undefined)} />
      )}
      {wanted !== undefined && (
        <Confirm
          title={t("versions.rollBackTitle", { version: wanted })}
          text={t("versions.rollBackText")}
          action={t("versions.rollBack")}
          busy={rollBack.isPending}
          error={rollBack.error}
          onConfirm={() =>
            rollBack.mutate(wanted, {
              onSuccess: () => {
                setWanted(undefined);
                void queries.invalidateQueries({ queryKey: ["flow", flowId] });
              },
            })
          }
          onClose={() => setWanted(undefined)}
        />
      )}
    </Panel>
  );
}

interface FlowDifference {
  readonly runsAlike: boolean;
  readonly changes: readonly {
    readonly what: string;
    readonly id: string;
    readonly change: string;
    readonly text: string;
  }[];
}

function Difference(props: { flowId: string; from: string; to: string; onClose: () => void }): ReactNode {
  const { flowId, from, to, onClose } = props;
  const t = useT();
  const difference = useQuery({
    queryKey: ["flow", flowId, "diff", from, to],
    queryFn: ({ signal }) =>
      requestData<FlowDifference>(`/manage/flows/${flowId}/versions/${from}/diff/${to}`, { signal }),
  });
  return (
    <Dialog wide title={`${from} → ${to}`} onClose={onClose}>
      {difference.error && <ErrorNote error={difference.error} />}
      {difference.isPending && <Loading />}
      {difference.data?.changes.length === 0 && <p>{t("versions.same")}</p>}
      <ul className="stack">
        {difference.data?.changes.map(({ what, id, change, text }) => (
          <li key={`${what} ${id} ${change} ${text}`}>{text}</li>
        ))}
      </ul>
    </Dialog>
  );
}
