import type { Actor } from "../../domain/actor.ts";
import { listKeyOrganizations } from "../../storage/keys/list-key-organizations.ts";
import { type AuditContext, recordAudit } from "../audit/record-audit.ts";

/** A user's key reaches all organizations of its user, so each of them is told. */
export async function auditKey(
  context: AuditContext,
  actor: Actor,
  { keyId, ...change }: { keyId: string; action: string; before?: object; after?: object },
): Promise<void> {
  const organizationIds = await listKeyOrganizations(context.db, keyId);
  await recordAudit(
    context,
    actor,
    ...organizationIds.map((organizationId) => ({ organizationId, target: keyId, ...change })),
  );
}
