import type { FlowGraph } from "@millrace/contract/documents/graph";
import type { PlacedDocument } from "../../domain/documents/parse-source.ts";
import type { FlowValidation } from "../../domain/flow/validate.ts";
import type { FlowReferences } from "../../domain/flow/validation/flow-to-check.ts";
import { listReferences, type ReferenceRows } from "../../storage/catalogue/list-references.ts";
import type { Db } from "../../storage/pool.ts";
import { organizationOf } from "./organization-of.ts";

/** The rules of flows with the catalogue of nodes already in them; main.ts brings both together. */
export type FlowValidator = (graph: FlowGraph, references: FlowReferences) => FlowValidation;

/** What the flows may point to, by organization: what is stored, where there is a database, and what the documents bring. */
export async function readReferences(
  db: Db | undefined,
  placed: readonly PlacedDocument[],
): Promise<ReadonlyMap<string, FlowReferences>> {
  const documents = placed.map(({ document }) => document);
  const references = new Map<string, FlowReferences>();
  for (const organizationId of new Set(documents.map(organizationOf))) {
    const { flows, agents, credentials } = db ? await listReferences(db, organizationId) : nothingStored();
    for (const document of documents.filter((one) => organizationOf(one) === organizationId)) {
      if (document.kind === "Flow") flows.add(document.id);
      else if (document.kind === "Agent") agents.add(document.id);
      else if (document.kind === "Credential") credentials.set(document.id, document.type);
    }
    references.set(organizationId, {
      hasFlow: (id) => flows.has(id),
      hasAgent: (id) => agents.has(id),
      credentialType: (id) => credentials.get(id),
    });
  }
  return references;
}

function nothingStored(): ReferenceRows {
  return { flows: new Set(), agents: new Set(), credentials: new Map() };
}
