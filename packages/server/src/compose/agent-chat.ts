import { agentLogs, agentStreams, agentTurns } from "../engine/duties/agent-turns.ts";
import type { AgentChat } from "../engine/nodes/node-type.ts";
import type { Route } from "../http/route.ts";
import { createSessionRoute } from "../http/routes/create-session.ts";
import { sendMessageRoute } from "../http/routes/send-message.ts";
import { streamSessionRoute } from "../http/routes/stream-session.ts";
import { createCompletionRoute } from "../http/routes/v1/create-completion.ts";
import { getModelRoute } from "../http/routes/v1/get-model.ts";
import { listModelsRoute } from "../http/routes/v1/list-models.ts";
import type { EventStreams } from "../http/sse.ts";
import { type ChatSettings, defaultChatSettings } from "../operations/agent-chat/chat-settings.ts";
import type { RunFlowTool } from "../operations/agent-chat/flow-tool.ts";
import { sendFlowMessage } from "../operations/agent-chat/send-flow-message.ts";
import { TurnRunner } from "../operations/agent-chat/turn-runner.ts";
import { createAddressGuard } from "../upstream/address-guard.ts";
import { McpTools } from "../upstream/agent-tools.ts";
import { createGuardedHttp } from "../upstream/guarded-http/client.ts";
import type { Foundation } from "./foundation.ts";

export interface AgentChatParts {
  readonly chat: AgentChat;
  routes(streams: EventStreams): Route[];
  /** Before the server closes: the replies that are being written still reach their clients. */
  stop(): Promise<void>;
}

/** Chats with agents: every process answers what it accepts, and takes over what others leave. */
export function composeAgentChat(
  { config, pools, secrets, ids, clock, library, logger, metrics, startDuty, shutdown }: Foundation,
  runFlowTool: RunFlowTool,
  settings: ChatSettings = defaultChatSettings,
): AgentChatParts {
  const http = createGuardedHttp({
    guard: createAddressGuard({ allow: config.egressAllow }),
    // Each reply holds a connection to its provider from the first word to the last.
    connectionsPerOrigin: settings.maxRunning,
  });
  shutdown.add("agent upstreams", () => http.close());
  const db = pools.engine;
  const runner = new TurnRunner({
    db,
    ids,
    now: () => clock.now(),
    secrets,
    http,
    mcpTools: new McpTools(http),
    library,
    runFlowTool,
    settings,
    logger,
    onReply: (outcome) => metrics.chatReplies.inc({ outcome }),
  });
  metrics.onCollect(() => metrics.chatRepliesOpen.set(runner.size));
  startDuty(agentLogs(db));
  startDuty(agentTurns(runner));
  startDuty(agentStreams(runner));
  const context = { ids, runner, settings };
  return {
    chat: { send: (message) => sendFlowMessage({ db, ...context }, message) },
    routes: (streams) => {
      const api = { db: pools.api, ...context, now: () => clock.now() };
      return [
        createSessionRoute(api),
        sendMessageRoute(api, streams),
        streamSessionRoute(api, streams),
        createCompletionRoute(api, streams),
        listModelsRoute(api),
        getModelRoute(api),
      ];
    },
    stop: () => runner.stop(),
  };
}
