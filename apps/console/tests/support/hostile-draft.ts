import { HOSTILE, HOSTILE_NAME } from "./hostile.ts";

type Manage = (
  method: "GET" | "POST" | "PUT",
  path: string,
  body?: object,
) => Promise<{ readonly revision: number }>;

const MEGABYTE = "w".repeat(1_000_000);
const FLOW = "/manage/flows/flow_hostile_draft";

const keep = {
  id: "keep",
  type: "set",
  data: {
    label: HOSTILE_NAME,
    ui: { note: HOSTILE },
    inputs: { values: { text: HOSTILE, data: "{{ data }}", [HOSTILE_NAME]: HOSTILE } },
  },
};

/** A flow for the editor, of which everything that can be written was written to break it: names, notes, values, tests. */
export async function addHostileDraft(manage: Manage, run: (flowId: string) => Promise<void>): Promise<void> {
  const start = { id: "start", type: "start", data: {} };
  const edge = { id: "e1", source: "start", target: "keep" };
  const graph = { nodes: [start, keep], edges: [edge] };
  const flow = { organizationId: "org_run", id: "flow_hostile_draft", name: HOSTILE_NAME };
  await manage("POST", "/manage/flows", { ...flow, graph });
  await manage("POST", `${FLOW}/publish`, { note: HOSTILE_NAME });
  await run(flow.id);
  await manage("PUT", `${FLOW}/tests/hostile`, {
    document: {
      kind: "FlowTest",
      id: "hostile",
      flowId: flow.id,
      name: HOSTILE_NAME,
      data: { text: HOSTILE },
      expect: { output: { [HOSTILE]: MEGABYTE } },
    },
  });
  const { revision } = await manage("GET", `${FLOW}/draft`);
  await manage("PUT", `${FLOW}/draft`, {
    revision,
    graph: {
      nodes: [
        start,
        { ...keep, data: { ...keep.data, inputs: { values: { text: HOSTILE, megabyte: MEGABYTE } } } },
        { id: "each", type: "for-each", data: { label: HOSTILE_NAME, inputs: { items: "{{ [1..3] }}" } } },
        {
          id: "in",
          type: "switch",
          parentId: "each",
          data: { inputs: { value: HOSTILE, cases: [{ name: "w".repeat(64), equals: HOSTILE }] } },
        },
        // Without an address, so that the validator has something to say.
        { id: "call", type: "http-request", data: { inputs: { method: "GET", headers: { a: HOSTILE } } } },
      ],
      edges: [
        edge,
        { id: "e2", source: "keep", target: "each" },
        { id: "e3", source: "each", target: "call" },
      ],
    },
    settings: { tool: { description: HOSTILE } },
  });
}
