import type { ManagedApproval } from "@millrace/contract/manage/approvals";
import type { SeenApproval } from "../../operations/runs/list-approvals.ts";

export function presentApproval(approval: SeenApproval): ManagedApproval {
  const { runId, flowId, flowName, nodeId, nodeKey, message, details, createdAt, dueAt } = approval;
  return {
    runId,
    flowId,
    flowName,
    nodeId,
    nodeKey,
    ...(approval.showsValues
      ? {
          ...(message !== null && { message }),
          ...(details?.form && { form: { ...details.form } }),
        }
      : { valuesHidden: true }),
    ...(details?.assignees && { assignees: [...details.assignees] }),
    askedAt: createdAt.toISOString(),
    ...(dueAt && { until: dueAt.toISOString() }),
    mayAnswer: approval.mayAnswer,
  };
}
