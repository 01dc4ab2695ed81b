import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { FlowVersion } from "@millrace/client";
import { useManage, useManagedList } from "../../api/manage.ts";
import { mayAct } from "../../lib/session.ts";
import { useT } from "../../texts/texts.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Panel } from "../../ui/page.tsx";
import { Ago } from "../../ui/time.tsx";
import { ManagedList } from "../manage/managed-page.tsx";

/** What was in force and when, how two versions differ, and the way back. */
export function VersionsPanel({ flowId }: { flowId: string }): ReactNode {
  const t = useT();
  const queries = useQueryClient();
  const path = `/manage/flows/${flowId}/versions`;
  const versions = useManagedList<FlowVersion>(path, { organizationId: undefined });
  const active = versions.data?.pages.flatMap((page) => page.data).find((one) => one.active)?.version;
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
          {
            name: t("runs.version"),
            title: true,
            cell: ({ version }) => (
              <Link to="/flows/$flowId" params={{ flowId }} search={{ version }} className="mono">
                {version}
              </Link>
            ),
          },
          { name: t("flows.state"), cell: ({ active }) => (active ? t("versions.active") : "") },
          { name: t("flows.updated"), cell: ({ createdAt }) => <Ago value={createdAt} /> },
          { name: t("audit.who"), cell: ({ author }) => author },
          { name: t("credits.note"), cell: ({ note }) => note ?? "" },
          {
            name: t("actions"),
            hidden: true,
            cell: ({ version, active: inForce }) =>
              !inForce && (
                <div className="row">
                  {active !== undefined && (
                    <Link to="/compare" search={{ flow: flowId, a: version, b: active }} className="button">
                      {t("versions.diff")}
                    </Link>
                  )}
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
