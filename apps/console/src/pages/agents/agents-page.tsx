import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useAgents } from "../../api/agents.ts";
import { useT } from "../../texts/texts.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { Empty, ErrorNote, Loading } from "../../ui/notes.tsx";
import { Page } from "../../ui/page.tsx";

export function AgentsPage(): ReactNode {
  const t = useT();
  const agents = useAgents();
  return (
    <Page title={t("nav.agents")}>
      {agents.error && <ErrorNote error={agents.error} retry={() => void agents.refetch()} />}
      {agents.isPending && <Loading />}
      {agents.data?.length === 0 && (
        <Empty title={t("agents.none")} command="npx millrace apply agents/">
          {t("agents.noneText")}
        </Empty>
      )}
      {agents.data && agents.data.length > 0 && (
        <DataTable
          label={t("nav.agents")}
          items={agents.data}
          keyOf={({ id }) => id}
          columns={[
            {
              name: t("flows.name"),
              title: true,
              cell: ({ id, name }) => (
                <Link to="/agents/$agentId" params={{ agentId: id }}>
                  {name}
                </Link>
              ),
            },
            { name: t("flows.id"), className: "mono", cell: ({ id }) => id },
            { name: t("agents.models"), className: "mono", cell: ({ modelIds }) => modelIds.join(", ") },
            {
              name: t("flows.state"),
              cell: ({ active }) => t(active ? "flows.active" : "flows.inactive"),
            },
          ]}
        />
      )}
    </Page>
  );
}
