import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useFlows } from "../../api/flows.ts";
import { useT } from "../../texts/texts.tsx";
import { Empty, ErrorNote, Loading } from "../../ui/notes.tsx";
import { Page, TableFrame } from "../../ui/page.tsx";
import { Ago } from "../../ui/time.tsx";

export function FlowsPage(): ReactNode {
  const t = useT();
  const flows = useFlows();
  return (
    <Page title={t("nav.flows")}>
      {flows.error && <ErrorNote error={flows.error} retry={() => void flows.refetch()} />}
      {flows.isPending && <Loading />}
      {flows.data?.length === 0 && (
        <Empty title={t("flows.none")} command="npx millrace apply flows/">
          {t("flows.noneText")}
        </Empty>
      )}
      {flows.data && flows.data.length > 0 && (
        <TableFrame label={t("nav.flows")}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t("flows.name")}</th>
                <th scope="col">{t("flows.id")}</th>
                <th scope="col">{t("flows.state")}</th>
                <th scope="col">{t("flows.updated")}</th>
              </tr>
            </thead>
            <tbody>
              {flows.data.map((flow) => (
                <tr key={flow.id}>
                  <td>
                    <Link to="/flows/$flowId" params={{ flowId: flow.id }}>
                      {flow.name}
                    </Link>
                  </td>
                  <td className="mono">{flow.id}</td>
                  <td>{t(flow.active ? "flows.active" : "flows.inactive")}</td>
                  <td>
                    <Ago value={flow.updatedAt ?? flow.createdAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
    </Page>
  );
}
