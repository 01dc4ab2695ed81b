import type { ApprovalsQuery } from "@millrace/contract/manage/approvals";
import { type Page, toPage, toPageRequest } from "../../domain/cursor.ts";
import { mayReadValues, organizationFor, type Principal } from "../../domain/principal.ts";
import type { Db } from "../../storage/pool.ts";
import { type ListedApproval, listApprovals as readApprovals } from "../../storage/runs/list-approvals.ts";
import { mayAnswer } from "./check-answer.ts";

export interface SeenApproval extends ListedApproval {
  readonly mayAnswer: boolean;
  readonly showsValues: boolean;
}

export async function listApprovals(
  { db }: { readonly db: Db },
  principal: Principal,
  query: ApprovalsQuery,
): Promise<Page<SeenApproval>> {
  const organizationId = organizationFor(principal, query.organizationId, "viewer");
  const page = toPageRequest("approvals", query);
  const showsValues = mayReadValues(principal, organizationId);
  const { items, ...cursors } = toPage(page, await readApprovals(db, organizationId, page));
  return {
    items: items.map((one) => ({
      ...one,
      showsValues,
      mayAnswer: mayAnswer(principal, organizationId, one.details?.assignees),
    })),
    ...cursors,
  };
}
