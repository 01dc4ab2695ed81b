import type { CredentialType } from "../../domain/flow/catalogue.ts";
import type { FlowReferences } from "../../domain/flow/validation/flow-to-check.ts";
import { assumed, oneOf, orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

/** What the flows of an organization may point to. */
export interface ReferenceRows {
  readonly flows: Set<string>;
  readonly agents: Set<string>;
  readonly credentials: Map<string, CredentialType>;
  variables: ReadonlySet<string>;
}

const LIST_REFERENCES = statement({
  text: `SELECT 'flow' AS kind, id, NULL AS type FROM flows WHERE organization_id = $1 AND deleted_at IS NULL
     UNION ALL
     SELECT 'agent', id, NULL FROM agents WHERE organization_id = $1 AND deleted_at IS NULL
     UNION ALL
     SELECT 'credential', id, type FROM credentials WHERE organization_id = $1
     UNION ALL
     SELECT 'variable', json_object_keys(v."values"), NULL FROM organizations o
       JOIN organization_variables v ON v.organization_id = o.id AND v.version = o.variables_version WHERE o.id = $1`,
  columns: { kind: oneOf("flow", "agent", "credential", "variable"), id: assumed(text), type: orNull(text) },
});

export async function listReferences(db: Db, organizationId: string): Promise<ReferenceRows> {
  const { rows } = await db.query(LIST_REFERENCES([organizationId]));
  const idsOf = (kind: string) => rows.filter((row) => row.kind === kind).map((row) => row.id);
  return {
    flows: new Set(idsOf("flow")),
    agents: new Set(idsOf("agent")),
    credentials: new Map(
      rows.filter((row) => row.kind === "credential").map(({ id, type }) => [id, type as CredentialType]),
    ),
    variables: new Set(idsOf("variable")),
  };
}

export function toReferences({ flows, agents, credentials, variables }: ReferenceRows): FlowReferences {
  return {
    variables,
    hasFlow: (id) => flows.has(id),
    hasAgent: (id) => agents.has(id),
    credentialType: (id) => credentials.get(id),
  };
}
