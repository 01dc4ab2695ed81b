import type { Case } from "./case.ts";
import type { RunExpectation } from "./interpreter/expectation.ts";
import { interpret } from "./interpreter/interpret.ts";
import { Ambiguous } from "./interpreter/values.ts";
import { flowIdOf } from "./places.ts";
import { render } from "./render.ts";
import type { FlowDocument, Surroundings } from "./graph.ts";

/** What is sent with the trigger of every case. */
export const TRIGGER_DATA = { x: 1, at: "root" };

export interface Prepared {
  readonly torture: Case;
  readonly caseId: string;
  readonly documents: readonly FlowDocument[];
  /** Of the service, and of a dry run, which has one attempt. */
  readonly expected: (maxAttempts: number) => RunExpectation;
}

export function prepare(torture: Case, surroundings: Surroundings): Prepared {
  const documents = render(torture, surroundings);
  const lastNodes = (flow: string, container: string) => {
    const { nodes, edges } = documents.find(({ id }) => id === flowIdOf(surroundings.caseId, flow))!.graph;
    const sources = new Set(edges.map((edge) => (edge as { source: string }).source));
    return nodes.filter(({ id, parentId }) => parentId === container && !sources.has(id)).length;
  };
  return {
    torture,
    caseId: surroundings.caseId,
    documents,
    expected: (maxAttempts) => interpret({ torture, data: TRIGGER_DATA, maxAttempts, lastNodes }),
  };
}

/** Whether one can say beforehand what must come out. */
export function isForetold(torture: Case): boolean {
  try {
    prepare(torture, { caseId: "x", organizationId: "org", receiverUrl: "http://127.0.0.1" }).expected(
      torture.maxAttempts,
    );
    return true;
  } catch (error) {
    if (error instanceof Ambiguous) return false;
    throw error;
  }
}
