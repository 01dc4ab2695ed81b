import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useAgents } from "../../api/agents.ts";
import { useT } from "../../texts/texts.tsx";
import { Empty, ErrorNote, Loading } from "../../ui/notes.tsx";
import { Page, TableFrame } from "../../ui/page.tsx";

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
        <TableFrame label={t("nav.agents")}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t("flows.name")}</th>
                <th scope="col">{t("flows.id")}</th>
                <th scope="col">{t("agents.models")}</th>
                <th scope="col">{t("flows.state")}</th>
              </tr>
            </thead>
            <tbody>
              {agents.data.map((agent) => (
                <tr key={agent.id}>
                  <td>
                    <Link to="/agents/$agentId" params={{ agentId: agent.id }}>
                      {agent.name}
                    </Link>
                  </td>
                  <td className="mono">{agent.id}</td>
                  <td className="mono">{agent.modelIds.join(", ")}</td>
                  <td>{t(agent.active ? "flows.active" : "flows.inactive")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
    </Page>
  );
}
