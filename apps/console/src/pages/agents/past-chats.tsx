import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { AgentSession } from "../../api/agents.ts";
import { useManagedList } from "../../api/manage.ts";
import { useLanguage } from "../../texts/texts.tsx";
import { Panel } from "../../ui/page.tsx";
import { Ago } from "../../ui/time.tsx";
import { ManagedList } from "../manage/managed-page.tsx";

/** Every chat that anybody had with the agent; each opens with what was said. */
export function PastChats({ agentId }: { agentId: string }): ReactNode {
  const { t, locale } = useLanguage();
  const sessions = useManagedList<AgentSession>(`/manage/agents/${encodeURIComponent(agentId)}/sessions`, {
    organizationId: undefined,
  });
  return (
    <Panel title={t("chat.past")}>
      <ManagedList
        title={t("chat.past")}
        list={sessions}
        keyOf={({ sessionId }) => sessionId}
        empty={{ title: t("chat.pastNone") }}
        columns={[
          {
            name: t("chat.session"),
            cell: ({ sessionId }) => (
              <Link
                to="/agents/$agentId"
                params={{ agentId }}
                search={{ session: sessionId }}
                className="mono"
              >
                {sessionId}
              </Link>
            ),
          },
          { name: t("chat.user"), cell: ({ endUserId, sessionKey }) => endUserId ?? sessionKey },
          { name: t("chat.turns"), cell: ({ turns }) => turns.toLocaleString(locale) },
          { name: t("chat.lastActivity"), cell: ({ lastActivityAt }) => <Ago value={lastActivityAt} /> },
        ]}
      />
    </Panel>
  );
}
