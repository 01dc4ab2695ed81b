import type { ReactNode } from "react";
import { useApprovals } from "../../api/approvals.ts";
import { useFlows } from "../../api/flows.ts";
import { useT } from "../../texts/texts.tsx";
import { Empty, ErrorNote, Loading } from "../../ui/notes.tsx";
import { Page } from "../../ui/page.tsx";
import { ApprovalCard } from "./approval-card.tsx";

/** Questions that runs wait with, for whoever may answer them. */
export function ApprovalsPage(): ReactNode {
  const t = useT();
  const approvals = useApprovals();
  const names = new Map(useFlows().data?.map((flow) => [flow.id, flow.name]));
  return (
    <Page title={t("nav.approvals")}>
      {approvals.error && <ErrorNote error={approvals.error} retry={() => void approvals.refetch()} />}
      {approvals.isPending && <Loading />}
      {approvals.data?.length === 0 && <Empty title={t("approvals.none")}>{t("approvals.noneText")}</Empty>}
      <ul className="stack">
        {approvals.data?.map(({ run, wait }) => (
          <li key={`${run.id} ${wait.nodeKey}`}>
            <ApprovalCard run={run} wait={wait} name={names.get(run.payload.flowId) ?? run.payload.flowId} />
          </li>
        ))}
      </ul>
    </Page>
  );
}
