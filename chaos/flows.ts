interface FlowNode {
  readonly id: string;
  readonly type: string;
  readonly inputs?: Record<string, unknown>;
  readonly credential?: string;
  /** More of the node's data. */
  readonly more?: Record<string, unknown>;
}

interface FlowDocument {
  readonly kind: "Flow";
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly active: true;
  readonly graph: object;
}

export const SCHEDULED_FLOW = "scheduled";
export const SCHEDULE_ID = "minute";

/** The flows of one organization, `<organization>_<kind>`; each kind is one way in which a run can go. */
export function flowsOf(organizationId: string, effectsUrl: string): FlowDocument[] {
  const effect = (id: string, name: string, ms: number, credential?: string): FlowNode => ({
    id,
    type: "http-request",
    inputs: { url: `${effectsUrl}/${name}`, method: "POST", query: { ms } },
    ...(credential && { credential }),
  });
  const wait = (id: string, duration: string): FlowNode => ({ id, type: "wait", inputs: { duration } });
  const set: FlowNode = { id: "note", type: "set", inputs: { values: { op: "{{ data.op }}" } } };
  const kinds: Record<string, FlowNode[]> = {
    pure: [set],
    effects: [effect("first", "quick", 15), set, effect("second", "quick", 30)],
    secret: [effect("call", "secret", 10, `cred_${organizationId}`)],
    slow: [effect("held", "slow", 1_500), set, effect("after", "quick", 5)],
    nap: [wait("nap", "2s"), set],
    paused: [effect("before", "quick", 5), wait("rest", "6s"), effect("after", "quick", 5)],
    asked: [
      effect("before", "quick", 5),
      { id: "ask", type: "approval", inputs: { message: "Go on?", timeout: "10s" } },
      effect("after", "quick", 5),
    ],
    parent: [{ id: "child", type: "run-flow", inputs: { flowId: `${organizationId}_effects` } }, set],
    flaky: [effect("before", "quick", 5), effect("call", "flaky", 10)],
    broken: [effect("call", "broken", 10)],
    // A failure that is handled, behind which the run pauses.
    handled: [
      {
        ...effect("call", "broken", 10),
        more: { onError: "continue", retry: { maxAttempts: 2, backoffSeconds: 0.2 } },
      },
      wait("rest", "6s"),
      effect("after", "quick", 5),
    ],
    long: [effect("before", "quick", 5), effect("held", "long", 8_000), effect("after", "quick", 5)],
    late: [effect("held", "late", 30_000)],
    poison: [effect("sip", "poison", 30_000)],
    hold: [effect("held", "hold", 25_000), set, effect("after", "quick", 5)],
    doze: [wait("doze", "4s"), set],
    // Computes for a second or more, and has nothing to store before its end.
    ponder: [
      {
        id: "ponder",
        type: "code",
        inputs: {
          source: "let sum = 0; for (let at = 0; at < 8e6; at++) sum += at % 7; return { sum };",
          timeoutMs: 20_000,
        },
      },
    ],
    brief: [wait("pause", "1s")],
    [SCHEDULED_FLOW]: [set],
  };
  return Object.entries(kinds).map(([kind, nodes]) =>
    flow(organizationId, `${organizationId}_${kind}`, nodes),
  );
}

function flow(organizationId: string, id: string, between: readonly FlowNode[]): FlowDocument {
  const nodes: FlowNode[] = [
    { id: "start", type: "start" },
    ...between,
    {
      id: "done",
      type: "return",
      inputs: {
        value: {
          op: "{{ data.op }}",
          ...(between.some((node) => node.id === "ask") && { decision: "{{ nodes.ask.decision }}" }),
        },
      },
    },
  ];
  return {
    kind: "Flow",
    id,
    organizationId,
    name: id,
    active: true,
    graph: {
      nodes: nodes.map(({ id, type, inputs, credential, more }) => ({
        id,
        type,
        data: { ...(inputs && { inputs }), ...(credential && { credential }), ...more },
      })),
      edges: nodes.slice(1).flatMap(({ id: target }, at) => edgesBetween(nodes[at]!, target)),
    },
  };
}

/** Whatever is decided, the flow goes on. */
function edgesBetween({ id: source, type }: FlowNode, target: string): object[] {
  const handles = type === "approval" ? ["approved", "rejected", "timeout"] : [undefined];
  return handles.map((sourceHandle) => ({
    id: `${source}-${sourceHandle ?? ""}-${target}`,
    source,
    target,
    ...(sourceHandle && { sourceHandle }),
  }));
}
