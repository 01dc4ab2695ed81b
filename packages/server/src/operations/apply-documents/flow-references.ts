import type { PlacedDocument } from "../../domain/documents/parse-source.ts";
import type { FlowReferences } from "../../domain/flow/validation/flow-to-check.ts";
import { listReferences, type ReferenceRows, toReferences } from "../../storage/catalogue/list-references.ts";
import type { Db } from "../../storage/pool.ts";
import { organizationOf } from "./organization-of.ts";

/** What the flows may point to, by organization: what is stored, where there is a database, and what the documents bring. */
export async function readReferences(
  db: Db | undefined,
  placed: readonly PlacedDocument[],
): Promise<ReadonlyMap<string, FlowReferences>> {
  const documents = Map.groupBy(
    placed.map(({ document }) => document),
    organizationOf,
  );
  const references = new Map<string, FlowReferences>();
  for (const [organizationId, own] of documents) {
    const rows = db ? await listReferences(db, organizationId) : nothingStored();
    for (const document of own) {
      if (document.kind === "Flow") rows.flows.add(document.id);
      else if (document.kind === "Agent") rows.agents.add(document.id);
      else if (document.kind === "Credential") rows.credentials.set(document.id, document.type);
      else if (document.kind === "Organization" && document.variables)
        rows.variables = new Set(Object.keys(document.variables));
    }
    references.set(organizationId, toReferences(rows));
  }
  return references;
}

function nothingStored(): ReferenceRows {
  return { flows: new Set(), agents: new Set(), credentials: new Map(), variables: new Set() };
}
