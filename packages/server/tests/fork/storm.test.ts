import { afterAll, beforeAll, expect, it } from "vitest";
import { withPrefix } from "../../src/domain/ids.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { checkForks, forkStorm, startStormReceiver, type StormReceiver } from "./storm.ts";
import { stormFlows } from "./storm-flow.ts";

let service: RunTestService;
let receiver: StormReceiver;
beforeAll(async () => {
  receiver = await startStormReceiver();
  service = await startRunService({ credits: 1_000_000, concurrency: 20 });
  for (const [id, graph] of Object.entries(stormFlows(receiver.url))) await service.flow(id, graph);
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

it("forks at random nodes of loops, loops in loops and sub-flows repeat no effect, copy byte for byte and cost the rest", async () => {
  // A generator of its own, so that a failure can be repeated.
  let state = 20260101;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  const faults = await forkStorm({
    receiver,
    forks: 32,
    atOnce: 4,
    random,
    service: {
      begin: (flowId, body) => service.begin(flowId, body as Record<string, unknown>),
      fork: async (runId, body) => {
        const answer = await service.send("POST", `/api/runs/${runId}/fork`, { key: service.key, body });
        if (answer.status > 202) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
        return answer.body.data.id ?? withPrefix(answer.body.data.queueId, "run");
      },
      untilEnd: async (runId) => (await service.untilEnd(runId)).status,
      db: service.database.pool,
    },
  });
  expect(faults).toEqual([]);
  expect(await checkForks(service.database.pool)).toEqual([]);
});
