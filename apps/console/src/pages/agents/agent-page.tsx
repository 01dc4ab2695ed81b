import { useMutation } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { startChat, useAgents } from "../../api/agents.ts";
import { mayAct } from "../../lib/session.ts";
import { useT } from "../../texts/texts.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { Page } from "../../ui/page.tsx";
import { useChat } from "./chat.ts";
import { PastChats } from "./past-chats.tsx";
import styles from "./agent-page.module.css";

/** A chat with an agent, as its users would have it. */
export function AgentPage(): ReactNode {
  const t = useT();
  const { agentId } = useParams({ from: "/shell/agents/$agentId" });
  const { session } = useSearch({ from: "/shell/agents/$agentId" });
  const navigate = useNavigate();
  const name = useAgents().data?.find(({ id }) => id === agentId)?.name ?? agentId;
  const { messages, writing, hidden, error, send } = useChat(agentId, session);
  const open = (sessionId: string | undefined) =>
    navigate({
      to: "/agents/$agentId",
      params: { agentId },
      search: sessionId ? { session: sessionId } : {},
    });
  const begin = useMutation({ mutationFn: () => startChat(agentId), onSuccess: open });
  const end = useRef<HTMLLIElement>(null);
  useEffect(() => {
    // Not returned: some browsers give a promise, and React would call it.
    end.current?.scrollIntoView({ block: "end" });
  }, [messages]);

  return (
    <div className={styles.page}>
      <Page
        title={name}
        actions={
          session !== undefined && (
            <button type="button" onClick={() => void open(undefined)}>
              {t("chat.new")}
            </button>
          )
        }
      >
        {begin.error && <ErrorNote error={begin.error} />}
        {error !== undefined && <ErrorNote error={error} />}
        {session === undefined && (
          <div className="stack">
            <p className="muted">{t("chat.text")}</p>
            {mayAct("member") && (
              <div>
                <button
                  type="button"
                  className="primary"
                  disabled={begin.isPending}
                  onClick={() => begin.mutate()}
                >
                  {t("chat.begin")}
                </button>
              </div>
            )}
          </div>
        )}
        {session === undefined && <PastChats agentId={agentId} />}
        {hidden && <p className="muted">{t("value.hidden")}</p>}
      </Page>
      {session !== undefined && (
        <>
          <div
            className={styles.messages}
            role="log"
            aria-label={t("chat.messages")}
            aria-busy={writing}
            tabIndex={0}
          >
            <ol>
              {messages.map((message, index) => (
                <li key={index} className={styles.message} data-by={message.by} data-failed={message.failed}>
                  <span className="visually-hidden">{t(message.by === "me" ? "chat.me" : "chat.agent")}</span>
                  {message.by === "tool" ? t("chat.tool", { name: message.text }) : message.text}
                </li>
              ))}
              {writing && messages.at(-1)?.by === "me" && (
                <li className={styles.typing}>{t("chat.writing")}</li>
              )}
              <li ref={end} aria-hidden="true" />
            </ol>
          </div>
          {mayAct("member") && <Composer disabled={writing} onSend={send} />}
        </>
      )}
    </div>
  );
}

function Composer({ disabled, onSend }: { disabled: boolean; onSend: (text: string) => void }): ReactNode {
  const t = useT();
  const [text, setText] = useState("");
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (disabled || text.trim() === "") return;
    onSend(text.trim());
    setText("");
  };
  return (
    <form className={styles.composer} onSubmit={submit}>
      <textarea
        aria-label={t("chat.message")}
        placeholder={t("chat.message")}
        rows={2}
        maxLength={32_000}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
        }}
      />
      <button type="submit" className="primary" disabled={disabled || text.trim() === ""}>
        {t("chat.send")}
      </button>
    </form>
  );
}
