import type { FlowDocument } from "@millrace/contract/documents/flow";
import type { Problem } from "../../domain/documents/fault.ts";
import type { PlacedDocument } from "../../domain/documents/parse-source.ts";
import type { NodeCatalogue } from "../../domain/flow/catalogue.ts";
import { placeOfError } from "../../domain/flow/error-place.ts";
import { settingsOf } from "../../domain/flow/flow-settings.ts";
import { checkFlow, checkReferences, type FlowValidation } from "../../domain/flow/validate.ts";
import type { FlowReferences } from "../../domain/flow/validation/flow-to-check.ts";
import { unknownInputs } from "../../domain/flow/validation/unknown-inputs.ts";
import { driveSliced } from "../../domain/sliced.ts";
import { eventLoop } from "../../lifecycle/event-loop.ts";
import { duringEach, labelOf } from "../../lifecycle/under-way.ts";
import type { Findings } from "./findings.ts";

export type FlowChecks = ReadonlyMap<FlowDocument, FlowValidation>;

/**
 * Whether the flows would run, beside what the documents bring and what is stored. One that would not is a fault, unless
 * it is to be kept as a draft; a misspelt input is one in any case.
 */
export async function checkFlows(
  catalogue: NodeCatalogue,
  documents: readonly PlacedDocument[],
  references: ReadonlyMap<string, FlowReferences>,
  { findings, asDrafts }: { readonly findings: Findings; readonly asDrafts: boolean },
): Promise<FlowChecks> {
  const checks = new Map<FlowDocument, FlowValidation>();
  for (const placed of documents) {
    const { document } = placed;
    if (document.kind !== "Flow") continue;
    const { misspelt, validation } = await check(
      document,
      catalogue,
      references.get(document.organizationId)!,
    );
    checks.set(document, validation);
    for (const problem of misspelt) findings.add(placed, problem);
    if (asDrafts) continue;
    for (const message of validation.errors)
      findings.add(placed, { path: ["graph", ...placeOfError(document.graph, message)], message });
  }
  return checks;
}

async function check(
  document: FlowDocument,
  catalogue: NodeCatalogue,
  references: FlowReferences,
): Promise<{ misspelt: readonly Problem[]; validation: FlowValidation }> {
  const { organizationId, id: flowId, graph } = document;
  const label = labelOf({ kind: "flow", organizationId, flowId });
  const giveWay = () => eventLoop.giveWay(organizationId);
  const misspelt = await driveSliced(duringEach(label, "", unknownInputs(graph, catalogue)), giveWay);
  const checking = checkFlow(graph, catalogue, settingsOf(document));
  const checked = await driveSliced(duringEach(label, "", checking), giveWay);
  return { misspelt, validation: checkReferences(checked, references) };
}
