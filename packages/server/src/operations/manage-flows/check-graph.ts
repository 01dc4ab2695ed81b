import type { FlowSettings } from "@millrace/contract/documents/flow";
import type { FlowGraph } from "@millrace/contract/documents/graph";
import type { Problem } from "../../domain/documents/fault.ts";
import { checkValues } from "../../domain/documents/check-values.ts";
import type { NodeCatalogue } from "../../domain/flow/catalogue.ts";
import { errorPlaces } from "../../domain/flow/error-place.ts";
import { checkFlow, checkReferences, type FlowValidation } from "../../domain/flow/validate.ts";
import { unknownInputs } from "../../domain/flow/validation/unknown-inputs.ts";
import { Refusal } from "../../domain/refusal.ts";
import { listReferences, toReferences } from "../../storage/catalogue/list-references.ts";
import type { Db } from "../../storage/pool.ts";
import { inSlices } from "../flows/in-slices.ts";

export interface GraphChecks {
  readonly db: Db;
  readonly catalogue: NodeCatalogue;
}

/** What a version consists of. */
export interface VersionContent {
  readonly graph: FlowGraph;
  readonly settings: FlowSettings;
}

export interface CheckedGraph extends FlowValidation {
  readonly problems: readonly Problem[];
}

interface CheckOptions {
  /** It was published before: what has become a fault since then is a warning. */
  readonly ranBefore?: boolean;
}

/** Whether this would run as a flow of the organization, as `apply` asks it: with misspelt inputs among the errors. */
export async function checkGraph(
  { db, catalogue }: GraphChecks,
  { organizationId, id: flowId }: { readonly organizationId: string; readonly id: string },
  { graph, settings }: VersionContent,
  { ranBefore = false }: CheckOptions = {},
): Promise<CheckedGraph> {
  const flow = { organizationId, flowId };
  const misspelt = ranBefore ? [] : await inSlices(flow, unknownInputs(graph, catalogue));
  const checked = await inSlices(flow, checkFlow(graph, catalogue, settings));
  const references = toReferences(await listReferences(db, organizationId));
  const { errors, warnings } = await inSlices(flow, checkReferences(checked, references, { ranBefore }));
  const placeOf = errorPlaces(graph);
  const problems = [
    ...misspelt.map(({ path, message }) => ({ path: path.slice(1), message })),
    ...errors.map((message) => ({ path: placeOf(message), message })),
  ];
  return { errors: problems.map(({ message }) => message), warnings, problems };
}

/** @throws Refusal where it would not run. */
export async function requireRunnable(
  checks: GraphChecks,
  flow: { readonly organizationId: string; readonly id: string },
  content: VersionContent,
  options?: CheckOptions,
): Promise<readonly string[]> {
  const { errors, warnings } = await checkGraph(checks, flow, content, options);
  if (errors.length === 0) return warnings;
  throw new Refusal("flow_validation_failed", { validationErrors: errors, validationWarnings: warnings });
}

/** What cannot be stored at all. */
export function requireStorable(content: Partial<VersionContent>): void {
  const problems = checkValues(content);
  if (problems.length === 0) return;
  throw new Refusal("invalid_request_body", {
    issues: problems.slice(0, 100).map(({ path, message }) => ({
      path: path.map((step) => (typeof step === "symbol" ? String(step) : step)),
      message,
    })),
  });
}
