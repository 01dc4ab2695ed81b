import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useApprovals } from "../../api/approvals.ts";
import { useT } from "../../texts/texts.tsx";
import { Empty, ErrorNote, Loading } from "../../ui/notes.tsx";
import { Page } from "../../ui/page.tsx";
import { ApprovalCard } from "./approval-card.tsx";

/** Questions that runs wait with, for whoever may answer them. */
export function ApprovalsPage(): ReactNode {
  const t = useT();
  const approvals = useApprovals();
  const [answered, setAnswered] = useState<{ runId: string; flowName: string }>();
  const asked = approvals.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <Page title={t("nav.approvals")}>
      {approvals.error && <ErrorNote error={approvals.error} retry={() => void approvals.refetch()} />}
      {approvals.isPending && <Loading />}
      <p role="status" className={answered ? "row" : "visually-hidden"}>
        {answered && (
          <>
            {t("approvals.answered")}
            <Link to="/runs/$runId" params={{ runId: answered.runId }}>
              {answered.flowName}
            </Link>
          </>
        )}
      </p>
      {approvals.data && asked.length === 0 && (
        <Empty title={t("approvals.none")}>{t("approvals.noneText")}</Empty>
      )}
      <ul className="stack">
        {asked.map((question) => (
          <li key={`${question.runId} ${question.nodeKey}`}>
            <ApprovalCard
              question={question}
              name={question.flowName}
              onAnswered={() => setAnswered(question)}
            />
          </li>
        ))}
      </ul>
      {approvals.hasNextPage && (
        <div>
          <button
            type="button"
            disabled={approvals.isFetchingNextPage}
            onClick={() => void approvals.fetchNextPage()}
          >
            {t("action.more")}
          </button>
        </div>
      )}
    </Page>
  );
}
