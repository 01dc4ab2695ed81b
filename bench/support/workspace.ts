import type { HttpRequest } from "./http-connection.ts";

const NO_LIMIT = 1_000_000;

export const ORGANIZATION = "org_bench";

export function organization(id: string, limits: { concurrency?: number; queue?: number } = {}): object {
  return {
    kind: "Organization",
    id,
    name: id,
    limits: {
      concurrency: limits.concurrency ?? NO_LIMIT,
      queue: limits.queue ?? NO_LIMIT,
      requestsPerMinute: 0,
    },
    members: [{ id: `user_${id}`, email: `${id}@example.com`, name: id, role: "owner" }],
  };
}

export interface BenchNode {
  readonly id: string;
  readonly type: string;
  readonly inputs?: Record<string, unknown>;
  /** Edges into it as `node` or `node:handle`; without them the node before. */
  readonly after?: readonly string[];
}

/** A flow out of a list of nodes, each behind the one before it unless it says otherwise. */
export function flow(organizationId: string, id: string, nodes: readonly BenchNode[]): object {
  const edges = nodes.flatMap(({ id: target, after }, at) =>
    (after ?? (at === 0 ? [] : [nodes[at - 1]!.id])).map((from) => {
      const [source, sourceHandle] = from.split(":");
      return { id: `${from}-${target}`, source, ...(sourceHandle && { sourceHandle }), target };
    }),
  );
  const graph = {
    nodes: nodes.map(({ id, type, inputs }) => ({ id, type, data: inputs ? { inputs } : {} })),
    edges,
  };
  return { kind: "Flow", id, organizationId, name: id, active: true, graph };
}

export const THREE_NODES: readonly BenchNode[] = [
  { id: "start", type: "start" },
  { id: "greet", type: "set", inputs: { values: { text: "Hello {{ data.name }}" } } },
  { id: "done", type: "return", inputs: { value: { text: "{{ nodes.greet.text }}" } } },
];

export function trigger(flowId: string, key?: string, data: object = { name: "Ada" }): HttpRequest {
  return {
    method: "POST",
    path: "/api/runs",
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    body: { payload: { flowId, data } },
  };
}
