import { expect, it } from "vitest";
import { Refusal } from "../../src/domain/refusal.ts";
import { type FlowCallContext, FlowCalls } from "../../src/http/mcp/flow-calls.ts";

const runId = "run_0123456789";
const call = { caller: { principal: { organizations: new Map() } }, signal: new AbortController().signal };
const calls = (refusal: Refusal) =>
  new FlowCalls({
    db: { query: () => Promise.reject(new Error("the database is gone")) },
    toRefusal: () => refusal,
  } as unknown as FlowCallContext);

it("names a run that was started where nothing more can be said of it, so that nobody starts it again", async () => {
  const gone = calls(new Refusal("service_unavailable"));
  const whole = await gone.whole(call as never, runId, async () => {});
  expect(whole).toMatchObject({ _meta: { "millrace/runId": runId } });
  const state = Buffer.from(JSON.stringify({ runId, round: 1 })).toString("base64url");
  const tool = { flow: { id: "flow_one" } };
  const round = await gone.round(
    call as never,
    tool as never,
    {},
    { state, answer: undefined, canAsk: true },
  );
  expect(round).toEqual(whole);
});

it("says what else went wrong", async () => {
  const refused = calls(new Refusal("run_not_found"));
  await expect(refused.whole(call as never, runId, async () => {})).rejects.toMatchObject({
    code: "run_not_found",
  });
});
