import { groupBy } from "../evidence.ts";
import type { Invariant } from "./invariant.ts";

/**
 * An acknowledged reply is what its session keeps, once; a refused message is not there; every turn has ended. The
 * events of a session are numbered without a gap and end with their turn.
 */
export const chats: Invariant = {
  number: 19,
  name: "Chats",
  check({ world, turns, brokenStreams }) {
    const violations = [...brokenStreams];
    const byText = groupBy(turns, ({ sessionId, userText }) => `${sessionId} ${userText}`);
    const messages = world.history.of("message");
    for (const { id, about, outcome, answer } of messages) {
      const kept = byText.get(`${String(about["sessionId"])} This is ${id}.`) ?? [];
      if (kept.length > 1) violations.push(`${id} was taken ${kept.length} times`);
      if (outcome === "fail" && kept.length > 0)
        violations.push(`${id} was refused, and is ${kept[0]!.status}`);
      const text = (answer as { text?: string } | undefined)?.text;
      if (outcome === "ok" && (kept[0]?.status !== "completed" || kept[0].replyText !== text))
        violations.push(`${id} was answered "${text}"; kept is ${kept[0]?.status} "${kept[0]?.replyText}"`);
    }
    for (const { sessionId, status } of turns)
      if (status === "queued" || status === "running")
        violations.push(`a turn of ${sessionId} is still ${status}`);
    const replies = messages.filter(({ outcome }) => outcome === "ok").length;
    return { checked: `${messages.length} messages, ${replies} replies`, violations };
  },
};
