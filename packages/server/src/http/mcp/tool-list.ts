import type { ListToolsResult, Tool } from "@modelcontextprotocol/server";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Principal } from "../../domain/principal.ts";
import { hasRole } from "../../domain/role.ts";
import { type FlowTool, type FlowToolsContext, listFlowTools } from "../../operations/tools/flow-tools.ts";
import { type ServiceTool, serviceTools } from "./service-tools.ts";

const PAGE = 50;
const MAX_PAGE_LENGTH = 500_000;
const CURSOR = /^[A-Za-z0-9_-]{1,64}$/;

/** The tools of the service first, then flows by id, in pages. */
export async function listTools(
  context: FlowToolsContext,
  principal: Principal,
  cursor: string | undefined,
): Promise<ListToolsResult> {
  if (cursor !== undefined && !CURSOR.test(cursor))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "This cursor is not one of ours");
  const { tools, next } = await listFlowTools(context, principal, { after: cursor ?? "", size: PAGE });
  const own = cursor === undefined ? serviceTools.filter((tool) => isOffered(tool, principal)) : [];
  // Whoever names a flow like a tool of the service keeps it to other ways of starting it.
  const flows = tools
    .filter(({ flow }) => serviceTools.every(({ name }) => name !== flow.id))
    .map(presentFlow);
  const shown = fitting(flows);
  const nextCursor = shown.length < flows.length ? shown.at(-1)!.name : next;
  return { tools: [...own.map(presentService), ...shown], ...(nextCursor !== undefined && { nextCursor }) };
}

/** As many as a page holds, one at least. */
function fitting(tools: readonly Tool[]): readonly Tool[] {
  let length = 0;
  const end = tools.findIndex((tool) => (length += JSON.stringify(tool).length) > MAX_PAGE_LENGTH);
  return end === -1 ? tools : tools.slice(0, Math.max(1, end));
}

export function isOffered({ role }: ServiceTool, { organizations }: Principal): boolean {
  return [...organizations.values()].some((one) => !one.suspended && hasRole(one.role, role));
}

function presentService({ name, title, description, annotations, inputSchema }: ServiceTool): Tool {
  return { name, title, description, annotations, inputSchema: inputSchema as Tool["inputSchema"] };
}

function presentFlow({ flow, description, schema, touch: { changes, destroys, outside } }: FlowTool): Tool {
  return {
    name: flow.id,
    title: flow.name,
    description,
    inputSchema: schema as Tool["inputSchema"],
    annotations: {
      title: flow.name,
      readOnlyHint: !changes,
      destructiveHint: destroys,
      openWorldHint: outside,
    },
  };
}
