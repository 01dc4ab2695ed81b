import { createHash } from "node:crypto";
import { delayMs } from "@millrace/contract/duration";
import type { Share, ShareBody } from "@millrace/contract/manage/shares";
import type { Actor } from "../../domain/actor.ts";
import { randomBase62 } from "../../domain/base62.ts";
import type { IdMaker } from "../../domain/ids.ts";
import { organizationsFor, type Principal, requireRole } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { type Pool, transaction } from "../../storage/pool.ts";
import { findRun } from "../../storage/runs/find-run.ts";
import { insertShare } from "../../storage/shares/insert-share.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { FlowLibrary } from "../flows/flow-library.ts";

const TOKEN_LENGTH = 43;
const MAX_SHARES = 100;

export interface ShareContext {
  readonly pool: Pool;
  readonly ids: IdMaker;
  readonly library: FlowLibrary;
  readonly webUrl: () => string;
}

/** A link that shows one run. The token is in the link alone; what is kept is its hash. */
export async function shareRun(
  { pool, ids, library, webUrl }: ShareContext,
  principal: Principal,
  actor: Actor,
  runId: string,
  { reveal, expiresIn }: ShareBody,
): Promise<Share> {
  const run = await findRun(pool, organizationsFor(principal, undefined), runId);
  if (!run) throw new Refusal("run_not_found");
  const { organizationId, flowId, version } = run;
  requireRole(principal, organizationId, "member");
  const { nodes } = await library.compiled(organizationId, flowId, version);
  refuseUnknown(reveal, (nodeId) => nodes.has(nodeId));
  const token = randomBase62(TOKEN_LENGTH);
  const id = ids.make("share");
  const share = {
    organizationId,
    id,
    runId,
    tokenHash: createHash("sha256").update(token).digest(),
    reveal,
    createdBy: principal.user.id,
    lifetimeMs: delayMs(expiresIn),
  };
  return transaction(pool, async (db) => {
    const expiresAt = await insertShare(db, share, MAX_SHARES);
    if (!expiresAt) throw tooMany();
    const after = { shareId: id, reveal, expiresAt };
    await recordAudit({ db, ids }, actor, { organizationId, action: "run.share", target: runId, after });
    return { id, url: `${webUrl()}/app/shared/${id}/${token}`, expiresAt: expiresAt.toISOString() };
  });
}

/** A key that no node of the flow can have is a typing mistake. */
function refuseUnknown(reveal: readonly string[], isNode: (nodeId: string) => boolean): void {
  const issues = reveal.flatMap((nodeKey, at) => {
    const nodeId = nodeKey.replace(/\[.*$/s, "");
    return isNode(nodeId) ? [] : [{ path: ["reveal", at], message: `the flow has no node "${nodeId}"` }];
  });
  if (issues.length > 0) throw new Refusal("invalid_request_body", { issues });
}

function tooMany(): Refusal {
  const message = `the run has ${MAX_SHARES} links already; revoke one first`;
  return new Refusal("invalid_request_body", { issues: [{ path: [], message }] });
}
