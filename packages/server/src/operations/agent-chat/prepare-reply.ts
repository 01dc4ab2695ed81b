import type { AgentDesign } from "@millrace/contract/documents/agent";
import { credentialSecrets } from "../../domain/credential-secret.ts";
import { conversation } from "../../domain/agent/model-messages.ts";
import { toolSchema } from "../../domain/flow/tool-schema.ts";
import { pathText } from "../../domain/documents/fault.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { ClaimedTurn } from "../../storage/agent-chat/claim-turn.ts";
import { readTurnWork } from "../../storage/agent-chat/read-turn-work.ts";
import type { Db } from "../../storage/pool.ts";
import type { SecretBox } from "../../storage/secret-box.ts";
import type { McpTools } from "../../upstream/agent-tools.ts";
import { keyCredential } from "../../upstream/chat-completions.ts";
import type { GuardedHttp, HttpCredential } from "../../upstream/guarded-http/guarded-http.ts";
import { demoReplyGenerator } from "../../upstream/reply-generator-demo.ts";
import { modelReplyGenerator } from "../../upstream/reply-generator-model.ts";
import {
  type AgentTool,
  ReplyFailure,
  type ReplyGenerator,
  type ReplyLimits,
  type ReplyRequest,
  type ReplyResult,
} from "../../upstream/reply-generator.ts";
import { UpstreamError } from "../../upstream/upstream-error.ts";
import { type OpenCredential, openCredential } from "../credentials/open-credential.ts";
import type { ChatSettings } from "./chat-settings.ts";
import type { FlowLibrary } from "../flows/flow-library.ts";
import type { FlowToolCaller, FlowToolResult, RunFlowTool } from "./flow-tool.ts";

export interface ReplyContext {
  readonly db: Db;
  readonly secrets: SecretBox;
  readonly http: GuardedHttp;
  readonly mcpTools: McpTools;
  readonly library: FlowLibrary;
  readonly runFlowTool: RunFlowTool;
  readonly settings: ChatSettings;
}

interface PreparedReply {
  readonly agentId: string;
  write(listener: Pick<ReplyRequest, "onText" | "onTool">): Promise<ReplyResult>;
}

/** Everything a reply needs, from the agent's design: who writes it, what was said before, which tools there are. */
export async function prepareReply(
  context: ReplyContext,
  turn: ClaimedTurn,
  signal: AbortSignal,
): Promise<PreparedReply> {
  const { db, settings } = context;
  const { agentId, design, earlier, depth } = await readTurnWork(db, turn, settings.history);
  if (!design) throw new ReplyFailure("upstream_failed");
  const limits = limitsOf(design, settings.reply);
  const [generator, tools] = await Promise.all([
    generatorOf(context, turn.organizationId, design, limits),
    toolsOf(context, { organizationId: turn.organizationId, depth }, design, signal),
  ]);
  const messages = conversation(earlier, turn.message);
  const instructions = design.systemPrompt;
  return {
    agentId,
    write: (listener) => generator.generate({ instructions, messages, tools, limits, signal, ...listener }),
  };
}

function limitsOf({ limits }: AgentDesign, usual: ReplyLimits): ReplyLimits {
  return {
    ...usual,
    ...(limits?.steps !== undefined && { steps: limits.steps }),
    ...(limits?.totalSeconds !== undefined && { totalMs: limits.totalSeconds * 1_000 }),
  };
}

async function generatorOf(
  { http, settings, db, secrets }: ReplyContext,
  organizationId: string,
  { provider }: AgentDesign,
  { totalMs }: ReplyLimits,
): Promise<ReplyGenerator> {
  if (provider.type === "demo") return demoReplyGenerator(settings.demoWordMs);
  const { baseUrl, model } = provider;
  const stored = await findOpen({ db, secrets }, organizationId, provider.credential);
  const apiKey = stored && credentialSecrets["model-provider"].parse(stored.secret).apiKey;
  const credential = keyCredential(apiKey, stored);
  return modelReplyGenerator(http, { organizationId, baseUrl, model, credential, totalMs });
}

async function toolsOf(
  { mcpTools, library, runFlowTool, db, secrets }: ReplyContext,
  caller: FlowToolCaller,
  { provider, tools = [] }: AgentDesign,
  signal: AbortSignal,
): Promise<AgentTool[]> {
  if (provider.type === "demo") return [];
  const { organizationId } = caller;
  const found = await Promise.all(
    tools.map(async (tool) => {
      if ("flow" in tool) return [await flowTool(library, runFlowTool, caller, tool)];
      const credential = toHttpCredential(await findOpen({ db, secrets }, organizationId, tool.credential));
      return mcpTools.toolsOf({ organizationId, url: tool.mcp, credential }, signal);
    }),
  );
  // A model is given each name once; the first in the document wins.
  const byName = new Map<string, AgentTool>();
  for (const tool of found.flat()) if (!byName.has(tool.name)) byName.set(tool.name, tool);
  return [...byName.values()];
}

/** With an `input`, the model is told what the flow takes, and its arguments are `trigger.body`; without, they are `data`. */
async function flowTool(
  library: FlowLibrary,
  run: RunFlowTool,
  caller: FlowToolCaller,
  { flow: flowId, description }: { flow: string; description?: string },
): Promise<AgentTool> {
  const flow = await library.find(flowId);
  const { input, tool } =
    flow?.organizationId === caller.organizationId ? ((await library.checked(flow)).settings ?? {}) : {};
  const { schema, bodyOf } = toolSchema(input);
  return {
    name: flowId,
    description: description ?? tool?.description ?? flow?.name ?? flowId,
    inputSchema: schema,
    async call(given, signal) {
      const call = { ...caller, flowId, signal, ...(input ? { body: bodyOf(given) } : { data: given }) };
      const { status, output, error } = await run(call).catch(refusedInput);
      if (status === "COMPLETED") return JSON.stringify(output ?? {});
      throw new UpstreamError(
        "ToolFailed",
        `The flow ended as ${status}${error ? `: ${error.message}` : "."}`,
      );
    },
  };
}

/** What the flow refuses is told to the model, which can do better. */
function refusedInput(error: unknown): FlowToolResult {
  const issue = error instanceof Refusal ? error.details.issues?.[0] : undefined;
  if (!issue) throw error;
  const message = `${pathText(issue.path.slice(2))} ${issue.message}`.trim();
  return { status: "FAILED", error: { name: "FlowInput", message: `The arguments do not fit: ${message}` } };
}

async function findOpen(
  stored: { db: Db; secrets: SecretBox },
  organizationId: string,
  id: string | undefined,
): Promise<OpenCredential | undefined> {
  if (id === undefined) return undefined;
  const credential = await openCredential(stored, organizationId, id);
  if (!credential) throw new ReplyFailure("upstream_failed");
  return credential;
}

function toHttpCredential(credential: OpenCredential | undefined): HttpCredential | undefined {
  if (!credential) return undefined;
  const { allowedHosts, allowUnencrypted } = credential;
  return { allowedHosts, allowUnencrypted, header: headerOf(credential) };
}

function headerOf({ type, secret }: OpenCredential): HttpCredential["header"] {
  if (type === "http-header") return credentialSecrets["http-header"].parse(secret);
  if (type === "http-bearer")
    return { name: "authorization", value: `Bearer ${credentialSecrets["http-bearer"].parse(secret).token}` };
  const { user, password } = credentialSecrets["http-basic"].parse(secret);
  return { name: "authorization", value: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
}
