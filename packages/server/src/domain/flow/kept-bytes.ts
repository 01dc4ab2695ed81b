import type { FlowGraph } from "@millrace/contract/documents/graph";
import { weighJson } from "../json-measure.ts";
import type { ParseBudget } from "./expressions/parse-expression.ts";

const bytesOfNode = 2_000;
/** A few functions and lists. */
const bytesOfPart = 160;

/** What a flow whose expressions were read takes in memory, about: up to a hundred times the text of its document. */
export function keptBytes(
  graph: FlowGraph,
  settings: unknown,
  { parts }: Pick<ParseBudget, "parts">,
): number {
  return weighJson([graph, settings]) + graph.nodes.length * bytesOfNode + parts * bytesOfPart;
}
