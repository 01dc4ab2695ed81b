import type { Pool } from "pg";
import { addEndpoint } from "../events/delivery.ts";
import { startLoopbackServer } from "./loopback-server.ts";
import { chain, hello, node } from "./runs-flows.ts";
import { type Gate, startGate } from "./runs-gate.ts";
import { addLimitedOrganization } from "./runs-storage.ts";
import { addFlow, addKey, addUser } from "./workspace.ts";

/** An address that is slow to answer, because the machine has no time, fails no run. */
const PATIENT = { retry: { maxAttempts: 5, backoffSeconds: 1 } };

export interface LoadWorkspace {
  readonly key: string;
  /** Holds the runs of `flow_held`. */
  readonly gate: Gate;
  close(): Promise<void>;
}

/** `org_run` with credits and an event endpoint; `flow_hello` is pure, `flow_effect` calls out, `flow_held` waits. */
export async function fillLoadWorkspace(pool: Pool): Promise<LoadWorkspace> {
  const outside = await startLoopbackServer((_, response) => void response.end("{}"));
  const gate = await startGate();
  await addLimitedOrganization(pool, { concurrency: 50, queue: 100_000, credits: 10_000_000 });
  await addUser(pool, "rosa", { org_run: "owner" });
  await addEndpoint(pool, { id: "whk_all", url: outside.url, organizationId: "org_run" });
  await addFlow(pool, "org_run", "flow_hello", { graph: hello });
  const effect = node("call", "http-request", { url: outside.url, expect: "2xx" }, PATIENT);
  await addFlow(pool, "org_run", "flow_effect", { graph: chain(effect) });
  const held = node("held", "http-request", { url: `${gate.url}/held`, expect: "2xx" }, PATIENT);
  await addFlow(pool, "org_run", "flow_held", { graph: chain(held) });
  const { key } = await addKey(pool, { organizationId: "org_run", userId: "rosa" });
  return {
    key,
    gate,
    close: async () => {
      await gate.close();
      await outside.close();
    },
  };
}
