import type { FlowStructure } from "@millrace/contract/manage/flow-graph";
import { type Principal, reaches } from "../../domain/principal.ts";
import { NOT_PUBLISHED } from "../../domain/records.ts";
import { Refusal } from "../../domain/refusal.ts";
import { findDraft } from "../../storage/flows/find-draft.ts";
import { findFlowGraph } from "../../storage/flows/find-flow-graph.ts";
import { findFlow } from "../../storage/flows/find-flow.ts";
import type { Db } from "../../storage/pool.ts";

/** In the place of a version: what is not published yet. */
const DRAFT = "draft";

/** How a version of a flow is connected; inputs stay out of it, so that everybody who sees runs may see it. Of a flow that was never published: the draft. */
export async function getFlowStructure(
  { db }: { readonly db: Db },
  principal: Principal,
  flowId: string,
  asked: string | undefined,
): Promise<FlowStructure> {
  const flow = await findFlow(db, flowId);
  if (!flow || !reaches(principal, flow.organizationId))
    throw new Refusal("flow_not_found", { messageParams: { flowId } });
  const { organizationId } = flow;
  const isDraft = asked === DRAFT || (asked === undefined && flow.version === NOT_PUBLISHED);
  const version = isDraft ? DRAFT : (asked ?? flow.version);
  const graph = isDraft
    ? (await findDraft(db, organizationId, flowId))?.graph
    : await findFlowGraph(db, organizationId, flowId, version);
  if (!graph) throw new Refusal("flow_not_found", { messageParams: { flowId: `${flowId}@${version}` } });
  return {
    flowId,
    version,
    active: version === flow.version,
    graph: {
      nodes: graph.nodes.map(({ id, type, parentId, data }) => ({
        id,
        type,
        ...(data?.label && { label: data.label }),
        ...(parentId && { parentId }),
      })),
      edges: graph.edges.map(({ source, target, sourceHandle }) => ({
        source,
        target,
        sourceHandle: sourceHandle ?? "out",
      })),
    },
  };
}
