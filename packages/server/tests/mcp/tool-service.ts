import { chain, joined, node } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addFlow, addTwoOrganizations } from "../support/workspace.ts";

export const city = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const form = {
  type: "object",
  properties: {
    reason: { type: "string", title: "Why?", pattern: "^[a-z ]+$" },
    amount: { type: "integer" },
  },
  required: ["reason"],
};
const approving = (inputs: object) =>
  joined(
    joined(
      chain(node("ask", "approval", inputs)),
      node("yes", "return", {
        value: { decision: "{{ nodes.ask.decision }}", data: "{{ nodes.ask.data }}" },
      }),
      ["ask", "approved"],
    ),
    node("no", "return", { value: { decision: "rejected" } }),
    ["ask", "rejected"],
  );
const tool = (description: string, more: object = {}) => ({ tool: { description }, ...more });

/** A service whose flows are tools: some answer at once, one asks a person, one waits at the gate. */
export interface ToolService {
  readonly service: TestService;
  readonly gate: Gate;
  readonly key: string;
  runsOf(flowId: string): Promise<{ id: string; status: string; tags: string[] }[]>;
  close(): Promise<void>;
}

export async function startToolService(): Promise<ToolService> {
  const gate = await startGate();
  const service = await startTestService();
  const { pool } = service.database;
  const { one: key } = await addTwoOrganizations(pool);
  const weather = [
    node("look", "set", { values: { text: "rain in {{ trigger.body.city }}" } }),
    node("answer", "return", { value: { weather: "{{ nodes.look.text }}" } }),
  ];
  await addFlow(pool, "org_one", "flow_weather", {
    graph: chain(...weather),
    settings: tool("Tells the weather", { input: city }),
  });
  await addFlow(pool, "org_one", "flow_list", {
    graph: chain(node("answer", "return", { value: { count: "{{ $count(trigger.body) }}" } })),
    settings: tool("Counts a list", { input: { type: "array", items: { type: "number" } } }),
  });
  await addFlow(pool, "org_one", "flow_failing", {
    graph: chain(node("stop", "fail", { message: "no such city" })),
    settings: tool("Fails"),
  });
  await addFlow(pool, "org_one", "flow_large", {
    graph: chain(node("answer", "return", { value: { text: "{{ $pad('', 300000, 'é') }}" } })),
    settings: tool("Says a lot"),
  });
  await addFlow(pool, "org_one", "flow_refund", {
    graph: approving({ message: "Refund {{ trigger.body.city }}?", form }),
    settings: tool("Refunds", { input: city }),
  });
  await addFlow(pool, "org_one", "flow_release", {
    graph: approving({ message: "Release?" }),
    settings: tool("Releases"),
  });
  await addFlow(pool, "org_one", "flow_slow", {
    graph: chain(gate.node("hold"), node("answer", "return", { value: { done: true } })),
    settings: tool("Takes its time"),
  });
  return {
    service,
    gate,
    key,
    runsOf: async (flowId) => (await service.get(`/api/flows/${flowId}/runs`, key)).body.data.data,
    close: async () => {
      await gate.close();
      await service.stop();
    },
  };
}
