import type { ManagedApproval } from "@millrace/client";
import { useManagedList } from "./manage.ts";

export const APPROVALS = "/manage/approvals";

/** Questions that runs of the organization wait with, the newest first. */
export function useApprovals() {
  return useManagedList<ManagedApproval>(APPROVALS, {}, 15_000);
}
