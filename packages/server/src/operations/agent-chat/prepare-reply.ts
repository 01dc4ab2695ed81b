import type { AgentDesign } from "@millrace/contract/documents/agent";
import { credentialSecrets } from "../../domain/credential-secret.ts";
import { conversation } from "../../domain/agent/model-messages.ts";
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
  type ReplyResult,
} from "../../upstream/reply-generator.ts";
import { UpstreamError } from "../../upstream/upstream-error.ts";
import { type OpenCredential, openCredential } from "../credentials/open-credential.ts";
import type { ChatSettings } from "./chat-settings.ts";
import type { FlowToolCaller, RunFlowTool } from "./flow-tool.ts";

export interface ReplyContext {
  readonly db: Db;
  readonly secrets: SecretBox;
  readonly http: GuardedHttp;
  readonly mcpTools: McpTools;
  readonly runFlowTool: RunFlowTool;
  readonly settings: ChatSettings;
}

interface PreparedReply {
  readonly agentId: string;
  write(onText: (text: string) => void): Promise<ReplyResult>;
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
    write: (onText) => generator.generate({ instructions, messages, tools, limits, signal, onText }),
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
  { mcpTools, runFlowTool, db, secrets }: ReplyContext,
  caller: FlowToolCaller,
  { provider, tools = [] }: AgentDesign,
  signal: AbortSignal,
): Promise<AgentTool[]> {
  if (provider.type === "demo") return [];
  const { organizationId } = caller;
  const found = await Promise.all(
    tools.map(async (tool) => {
      if ("flow" in tool) return [flowTool(runFlowTool, caller, tool.flow, tool.description)];
      const credential = toHttpCredential(await findOpen({ db, secrets }, organizationId, tool.credential));
      return mcpTools.toolsOf({ organizationId, url: tool.mcp, credential }, signal);
    }),
  );
  // A model is given each name once; the first in the document wins.
  const byName = new Map<string, AgentTool>();
  for (const tool of found.flat()) if (!byName.has(tool.name)) byName.set(tool.name, tool);
  return [...byName.values()];
}

function flowTool(run: RunFlowTool, caller: FlowToolCaller, flowId: string, description: string): AgentTool {
  return {
    name: flowId,
    description,
    inputSchema: { type: "object", additionalProperties: true },
    async call(data, signal) {
      const { status, output, error } = await run({ ...caller, flowId, data, signal });
      if (status === "COMPLETED") return JSON.stringify(output ?? {});
      throw new UpstreamError(
        "ToolFailed",
        `The flow ended as ${status}${error ? `: ${error.message}` : "."}`,
      );
    },
  };
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
