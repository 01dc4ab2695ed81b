import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { Refusal } from "../../domain/refusal.ts";
import type { QuestionAnswer } from "../../operations/tools/answer-question.ts";
import { findFlowTool, type FlowTool, type FlowToolsContext } from "../../operations/tools/flow-tools.ts";
import { toIssues } from "../issues.ts";
import type { McpCaller } from "./caller.ts";
import { canAsk } from "./client-session.ts";
import { type FlowCallContext, FlowCalls, QUESTION } from "./flow-calls.ts";
import { progressTeller } from "./progress.ts";
import { type ServiceToolContext, serviceTools } from "./service-tools.ts";
import { isOffered, listTools } from "./tool-list.ts";
import { refusalResult } from "./tool-result.ts";

export type McpContext = FlowToolsContext &
  ServiceToolContext &
  FlowCallContext & { readonly version: string };

/** How a call of an older client is served: it has one round, and its messages are numbered to be found again. */
export interface WholeCall {
  readonly onStarted: (runId: string) => void;
  readonly onAsked: (nodeKey: string) => void;
}

const INSTRUCTIONS =
  "Tools named like flows start a durable run and give back what it returns. A run outlives the call: get_run, why and cancel_run take its id.";

type Arguments = Readonly<Record<string, unknown>>;

/** One server for one request. Nothing of it outlives the request, so that the next may go to any process. */
export function makeServer(context: McpContext, caller: McpCaller, whole?: WholeCall): Server {
  const { version, toRefusal } = context;
  const calls = new FlowCalls(context);
  const server = new Server(
    { name: "millrace", title: "Millrace", version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler("tools/list", async ({ params }) => {
    try {
      return await listTools(context, caller.principal, params?.cursor);
    } catch (error) {
      throw toProtocolError(error);
    }
  });
  server.setRequestHandler("tools/call", async ({ params: { name, arguments: given = {} } }, ctx) => {
    try {
      const own = serviceTools.find((tool) => tool.name === name);
      if (own && isOffered(own, caller.principal))
        return await own.call(context, caller, given, ctx.mcpReq.signal);
      const tool = own ? undefined : await findFlowTool(context, caller.principal, name);
      if (!tool)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 200)}`);
      return await callFlow(tool, given, ctx);
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      return refusalResult(
        error instanceof z.ZodError ? invalidArguments(error) : toRefusal(error),
        caller.locale,
      );
    }
  });
  return server;

  async function callFlow(
    tool: FlowTool,
    given: Arguments,
    ctx: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const { mcpReq } = ctx;
    const call = { caller, signal: mcpReq.signal, onNodes: progressTeller(ctx) };
    if (!whole) {
      const { inputResponses, envelope } = mcpReq;
      return calls.round(call, tool, given, {
        state: mcpReq.requestState<string>(),
        answer: toAnswer(inputResponse(inputResponses, QUESTION)),
        canAsk: canAsk((envelope as Arguments | undefined)?.[CLIENT_CAPABILITIES_META_KEY]),
      });
    }
    const runId = await calls.start(call, tool, given, callKey(caller, mcpReq.id));
    whole.onStarted(runId);
    return calls.whole(call, runId, async (id, params) => {
      whole.onAsked(id);
      const message = { jsonrpc: "2.0" as const, id, method: "elicitation/create", params: { ...params } };
      await server.transport?.send(message, { relatedRequestId: mcpReq.id });
    });
  }

  function toProtocolError(error: unknown): ProtocolError {
    if (error instanceof ProtocolError) return error;
    return new ProtocolError(ProtocolErrorCode.InternalError, toRefusal(error).code);
  }
}

/** The same request of the same session, sent once more, finds its run. */
export function callKey({ session }: McpCaller, requestId: string | number): string | undefined {
  return session && `mcp ${session.id} ${JSON.stringify(requestId)}`;
}

function toAnswer(view: ReturnType<typeof inputResponse>): QuestionAnswer | undefined {
  if (view.kind !== "elicit") return undefined;
  return view.action === "accept" ? { action: "accept", content: view.content } : { action: view.action };
}

function invalidArguments(error: z.ZodError): Refusal {
  return new Refusal("invalid_request_body", { issues: toIssues(error) });
}
