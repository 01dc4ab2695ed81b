import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useFlow } from "../../api/flows.ts";
import { useT } from "../../texts/texts.tsx";
import { ErrorNote, Loading } from "../../ui/notes.tsx";
import { Page, Panel } from "../../ui/page.tsx";

export function FlowPage(): ReactNode {
  const t = useT();
  const { flowId } = useParams({ from: "/shell/flows/$flowId" });
  const flow = useFlow(flowId);
  return (
    <Page title={flow.data?.name ?? flowId}>
      {flow.error && <ErrorNote error={flow.error} retry={() => void flow.refetch()} />}
      {flow.isPending && <Loading />}
      {flow.data && (
        <Panel title={t("nav.runs")}>
          <p className="mono">{flow.data.id}</p>
          <Link to="/runs" search={{ flow: flowId }}>
            {t("flow.runs")}
          </Link>
        </Panel>
      )}
    </Page>
  );
}
