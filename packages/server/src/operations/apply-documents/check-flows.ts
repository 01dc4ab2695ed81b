import type { FlowDocument } from "@millrace/contract/documents/flow";
import type { Problem } from "../../domain/documents/fault.ts";
import type { PlacedDocument } from "../../domain/documents/parse-source.ts";
import { hashExecutableGraph } from "../../domain/flow/version-hash.ts";
import type { NodeCatalogue } from "../../domain/flow/catalogue.ts";
import { errorPlaces } from "../../domain/flow/error-place.ts";
import { settingsOf } from "../../domain/flow/flow-settings.ts";
import {
  type CheckedFlow,
  checkFlow,
  checkReferences,
  type FlowValidation,
} from "../../domain/flow/validate.ts";
import type { FlowReferences } from "../../domain/flow/validation/flow-to-check.ts";
import { unknownInputs } from "../../domain/flow/validation/unknown-inputs.ts";
import { inSlices } from "../flows/in-slices.ts";
import type { Findings } from "./findings.ts";

export type FlowChecks = ReadonlyMap<FlowDocument, FlowValidation>;

interface Checking {
  readonly findings: Findings;
  readonly asDrafts: boolean;
  /** Of the version in force, where there is one. */
  readonly storedHash: (flow: FlowDocument) => Promise<string | null | undefined>;
}

/**
 * Whether the flows would run, beside what the documents bring and what is stored. One that would not is a fault, unless
 * it is to be kept as a draft; a misspelt input is one in any case. A flow that is in force as it stands breaks no rule
 * that was made since: that is a warning, so that the documents beside it can still be applied.
 */
export async function checkFlows(
  catalogue: NodeCatalogue,
  documents: readonly PlacedDocument[],
  references: ReadonlyMap<string, FlowReferences>,
  { findings, asDrafts, storedHash }: Checking,
): Promise<FlowChecks> {
  const checks = new Map<FlowDocument, FlowValidation>();
  for (const placed of documents) {
    const { document } = placed;
    if (document.kind !== "Flow") continue;
    const { misspelt, checked } = await check(document, catalogue);
    const ranBefore = checked.newErrors.length > 0 && (await storedHash(document)) === hashOf(document);
    const { organizationId, id: flowId } = document;
    const checking = checkReferences(checked, references.get(organizationId)!, { ranBefore });
    const validation = await inSlices({ organizationId, flowId }, checking);
    checks.set(document, validation);
    for (const problem of misspelt) findings.add(placed, problem);
    if (asDrafts) continue;
    const placeOf = errorPlaces(document.graph);
    for (const message of validation.errors)
      findings.add(placed, { path: ["graph", ...placeOf(message)], message });
  }
  return checks;
}

function hashOf(document: FlowDocument): string {
  return hashExecutableGraph(document.graph, settingsOf(document));
}

async function check(
  document: FlowDocument,
  catalogue: NodeCatalogue,
): Promise<{ misspelt: readonly Problem[]; checked: CheckedFlow }> {
  const { organizationId, id: flowId, graph } = document;
  const flow = { organizationId, flowId };
  const misspelt = await inSlices(flow, unknownInputs(graph, catalogue));
  const checked = await inSlices(flow, checkFlow(graph, catalogue, settingsOf(document)));
  return { misspelt, checked };
}
