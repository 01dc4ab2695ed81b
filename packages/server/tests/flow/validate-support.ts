import type { FlowGraph } from "@millrace/contract/documents/graph";
import { validateFlow } from "../../src/domain/flow/validate.ts";
import { catalogue, graphOf, node } from "./support.ts";

const references = {
  variables: new Set(["region", "limits"]),
  hasFlow: (id: string) => id === "flow_1",
  hasAgent: (id: string) => id === "agent_1",
  credentialType: (id: string) => ({ pg: "postgres", web: "http-bearer" } as const)[id],
};

export function validate(graph: FlowGraph) {
  return validateFlow(graph, catalogue, references);
}
export const start = node("s", "start");
export const end = node("end", "return");

/** A flow s → x → end around the node under test. */
export function around(...middle: ReturnType<typeof node>[]): FlowGraph {
  return graphOf([start, ...middle, end], `s ${middle[0]?.id ?? ""}, ${middle[0]?.id ?? ""} end`);
}
