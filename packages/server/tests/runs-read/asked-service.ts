import { whyAnswer } from "@millrace/contract/why";
import { expect } from "vitest";
import { withPrefix } from "../../src/domain/ids.ts";
import { createTerminal } from "../cli/terminal.ts";
import { chain, node } from "../support/runs-flows.ts";
import { startGate } from "../support/runs-gate.ts";
import { startRunService } from "../support/runs-service.ts";
import type { TestService } from "../support/service.ts";
import { addKey, addUser } from "../support/workspace.ts";

export type AskedService = Awaited<ReturnType<typeof startAskedService>>;

/** One slot, a flow that is held by a gate, and one that asks; and whoever may ask why a run waits. */
export async function startAskedService() {
  const gate = await startGate();
  const service = await startRunService({ concurrency: 1 });
  const terminal = await createTerminal();
  const { pool } = service.database;
  await addUser(pool, "uma", { org_run: "member" });
  await addUser(pool, "vera", { org_run: "viewer" });
  const { key: userKey } = await addKey(pool, { scope: "user", userId: "uma" });
  const { key: viewerKey } = await addKey(pool, { organizationId: "org_run", userId: "vera" });
  await service.flow("flow_held", chain(gate.node("hold"), node("done", "return", { value: {} })));
  await service.flow("flow_asks", chain(node("ask", "approval", { message: "Really?" })));
  return {
    gate,
    service,
    /** Of uma, in every organization she is in. */
    userKey,
    viewerKey,
    /** Through the API, checked against the contract, and through the command line, which must say the same. */
    async why(runId: string, { key = service.key, of = service as TestService } = {}) {
      const { status, body } = await of.get(`/api/runs/${runId}/why`, key);
      expect({ status, fault: whyAnswer.safeParse(body).error?.message }).toEqual({ status: 200 });
      const env = { MILLRACE_URL: of.address, MILLRACE_API_KEY: key };
      const told = await terminal.json(`runs why ${withPrefix(runId, "rh")}`, env);
      expect(told.cause).toBe(body.data.cause);
      const { code, stdout } = await terminal.run(`runs why ${withPrefix(runId, "queue")}`, env);
      expect(code).toBe(0);
      // An estimate moves on with the time.
      expect(stdout.split("\n")[0]).toContain(body.data.reason.split(/; it should|\.$/)[0]);
      return body.data;
    },
    async stop(): Promise<void> {
      await terminal.close();
      await service.stop();
      await gate.close();
    },
  };
}

export const actionsOf = ({ actions }: { actions: { action: string }[] }) =>
  actions.map(({ action }) => action);
