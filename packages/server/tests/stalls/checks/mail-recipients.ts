import { chain, node } from "../../support/runs-flows.ts";
import { addFlow } from "../../support/workspace.ts";
import type { Arena, Round } from "../arena/arena.ts";
import { ORGANIZATION } from "../arena/stalls-workspace.ts";
import { triggerAll } from "../perform/trigger-all.ts";

const MAX_RECIPIENTS = 100;

export async function mailHasFewRecipients(arena: Arena, round: Round): Promise<string[]> {
  const { smtp } = arena.upstreams;
  smtp.follow({ greeting: ["220 x\r\n"], replies: [["250 ok\r\n"]], end: "again" });
  const to = Array.from({ length: 500 }, (_, at) => `a${at}@example.com`).join(",");
  const inputs = { to, from: "b@example.com", subject: "s", text: "t" };
  await addFlow(round.db, ORGANIZATION, "flow_recipients", {
    graph: chain(node("call", "email", inputs, { credential: "cred_smtp", timeoutSeconds: 5 })),
  });
  const { faults } = await triggerAll(round, "flow_recipients", {}, 1);
  const recipients = smtp.received.match(/RCPT TO/g)?.length ?? 0;
  return recipients > MAX_RECIPIENTS ? [...faults, `one mail went to ${recipients} recipients`] : [...faults];
}
