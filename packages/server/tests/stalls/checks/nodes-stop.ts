import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { fan, node } from "../../support/runs-flows.ts";
import { addFlow } from "../../support/workspace.ts";
import type { Arena, Round } from "../arena/arena.ts";
import { startRun, ORGANIZATION, urlOf } from "../arena/stalls-workspace.ts";
import { runsEnd } from "../perform/runs-end.ts";

/** Of each kind; databases and mail servers have few calls waiting. */
const MANY = 500;
const FEW = 120;
const UNDER_WAY_MS = 1_000;

/** Thousands of calls that end in the same moment, because their run does, are as many errors in one turn of the event loop. */
export async function nodesStopAtOnce({ upstreams }: Arena, round: Round): Promise<string[]> {
  const silent = { replies: [], end: "hang" } as const;
  const called = [upstreams.http, upstreams.mcp, upstreams.model, upstreams.smtp, upstreams.postgres];
  for (const server of called) server.follow(silent);
  const mail = { to: "a@example.com", from: "b@example.com", subject: "s", text: "t" };
  const kinds = [
    [MANY, "http-request", { url: urlOf(upstreams.http, "/") }],
    [MANY, "mcp-tool", { url: urlOf(upstreams.mcp, "/mcp"), tool: "search" }],
    [MANY, "llm", { model: "m", prompt: "p" }, "cred_model"],
    [FEW, "email", mail, "cred_smtp"],
    [FEW, "sql", { query: "SELECT 1" }, "cred_postgres"],
    [FEW, "code", { source: "for (;;);" }],
  ] as const;
  try {
    const faults: string[] = [];
    for (const ending of ["canceled", "out of time"] as const) {
      const limit = ending === "out of time" ? { timeoutSeconds: 1 } : {};
      const nodes = kinds.flatMap(([count, type, inputs, credential]) =>
        Array.from({ length: count }, (_, at) =>
          node(`${type}${at}`, type, inputs, { ...(credential && { credential }), ...limit }),
        ),
      );
      const flowId = `flow_${randomUUID().slice(0, 8)}`;
      await addFlow(round.db, ORGANIZATION, flowId, { graph: fan(...nodes) });
      await startRun(round.service.address, round.workspace.key, flowId);
      await sleep(UNDER_WAY_MS);
      faults.push(...(await runsEnd(round, flowId)).faults);
    }
    return faults;
  } finally {
    for (const server of called) server.follow({ replies: [], end: "close" });
  }
}
