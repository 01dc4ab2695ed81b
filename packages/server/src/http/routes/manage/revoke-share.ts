import { shareRevokedAnswer } from "@millrace/contract/manage/shares";
import { revokeShare } from "../../../operations/shares/revoke-share.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const revokeShareRoute = (context: ContextOf<typeof revokeShare>) =>
  defineRoute({
    method: "DELETE",
    path: "/manage/runs/{runId}/share/{shareId}",
    name: "revokeShare",
    summary: "End a link that shows a run",
    tag: "Manage",
    access: "key",
    role: "member",
    answers: { 200: { description: "The link shows nothing any more", schema: shareRevokedAnswer } },
    errors: ["invalid_run_id", "run_not_found", "link_not_found"],
    async handle({ principal, actor, params }) {
      const id = params.shareId!;
      const revokedAt = await revokeShare(context, principal, actor, params.runId!, id);
      return { status: 200, body: { success: true, data: { id, revokedAt: revokedAt.toISOString() } } };
    },
  });
