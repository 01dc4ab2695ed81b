import { flow, organization, ORGANIZATION, THREE_NODES } from "../support/workspace.ts";

export const FLOWS = {
  short: "flow_short",
  steps: "flow_steps",
  code: "flow_code",
  second: "flow_second",
  long: "flow_long",
} as const;

export const AGENT = "agent_soak";

/** A little of everything that runs for long in a real installation. */
export const DOCUMENTS: readonly object[] = [
  organization(ORGANIZATION),
  { ...flow(ORGANIZATION, FLOWS.short, THREE_NODES), webhook: { enabled: true } },
  flow(ORGANIZATION, FLOWS.steps, [
    { id: "start", type: "start" },
    { id: "count", type: "store", inputs: { operation: "increment", key: "soak.{{ data.name }}" } },
    { id: "read", type: "store", inputs: { operation: "get", key: "soak.{{ data.name }}" } },
    { id: "done", type: "return", inputs: { value: { count: "{{ nodes.read.value }}" } } },
  ]),
  flow(ORGANIZATION, FLOWS.code, [
    { id: "start", type: "start" },
    {
      id: "code",
      type: "code",
      inputs: { input: "{{ data }}", source: "return { name: input.name + '!' };" },
    },
    { id: "done", type: "return", inputs: { value: "{{ nodes.code }}" } },
  ]),
  flow(ORGANIZATION, FLOWS.second, [
    { id: "start", type: "start" },
    { id: "rest", type: "wait", inputs: { duration: 1 } },
    { id: "done", type: "return", inputs: { value: { text: "rested" } } },
  ]),
  flow(ORGANIZATION, FLOWS.long, [
    { id: "start", type: "start" },
    { id: "rest", type: "wait", inputs: { duration: 4 } },
    { id: "done", type: "return" },
  ]),
  {
    kind: "Agent",
    id: AGENT,
    organizationId: ORGANIZATION,
    name: "Soak",
    design: { provider: { type: "demo" } },
  },
];
