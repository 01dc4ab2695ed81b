import type { Actor } from "../../domain/actor.ts";
import { type AuditContext, recordAudit } from "../audit/record-audit.ts";
import type { AppliedDocument } from "./put-documents.ts";

const VERBS = { created: "create", updated: "update", removed: "remove" } as const;

/** One entry for each document that changed something. */
export async function auditDocuments(
  context: AuditContext,
  actor: Actor,
  applied: readonly AppliedDocument[],
  note: string | undefined,
): Promise<void> {
  const changes = applied.flatMap(({ action, kind, id, organizationId, version, errors = [] }) => {
    if (action === "unchanged") return [];
    const isDraft = errors.length > 0;
    const after = {
      document: kind,
      ...(version !== undefined && { version }),
      ...(isDraft && { isDraft }),
      ...(note !== undefined && { note }),
    };
    return [{ organizationId, action: `${NAMES[kind]}.${VERBS[action]}`, target: id, after }];
  });
  await recordAudit(context, actor, ...changes);
}

const NAMES: Record<AppliedDocument["kind"], string> = {
  Organization: "organization",
  Credential: "credential",
  Flow: "flow",
  Agent: "agent",
  EventEndpoint: "endpoint",
  FlowTest: "flow-test",
};
