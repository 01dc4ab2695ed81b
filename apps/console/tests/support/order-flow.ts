import {
  type LoopbackServer,
  readText,
  startLoopbackServer,
} from "../../../../packages/server/tests/support/loopback-server.ts";

/** A node that somebody adds. */
export interface Step {
  readonly id: string;
  readonly type: string;
  /** The node that it follows, and by which of its ways out. */
  readonly after: string;
  readonly handle?: string;
  /** It is put on the edge that leads there. */
  readonly before?: string;
  /** What is written into its form, by the names of the fields. */
  readonly fields: Readonly<Record<string, string>>;
}

/** What everybody builds in their own way: an order that is asked for if it is large, and paid. */
export const orderSteps = (payment: string): readonly Step[] => [
  { id: "large", type: "if", after: "start", fields: { condition: "{{ nodes.sum.value > 100 }}" } },
  {
    id: "sum",
    type: "transform",
    after: "start",
    before: "large",
    fields: { expression: "$sum(trigger.body.lines.(price * quantity))" },
  },
  {
    id: "ask",
    type: "approval",
    after: "large",
    handle: "true",
    fields: { message: "Charge {{ nodes.sum.value }} to {{ trigger.body.email }}?", timeout: "2d" },
  },
  {
    id: "charge",
    type: "http-request",
    after: "ask",
    handle: "approved",
    fields: {
      url: payment,
      body: '{"amount": "{{ nodes.sum.value }}", "customer": "{{ trigger.body.email }}"}',
    },
  },
  {
    id: "done",
    type: "return",
    after: "charge",
    fields: {
      value: '{"charged": true, "total": "{{ nodes.sum.value }}", "chargeId": "{{ nodes.charge.body.id }}"}',
    },
  },
  {
    id: "refused",
    type: "return",
    after: "ask",
    handle: "rejected",
    fields: { value: '{"charged": false, "why": "{{ nodes.ask.decision }}"}' },
  },
];

/** Ways that lead to nodes which are there already. */
export const orderWays = [
  { from: "large", handle: "false", to: "charge" },
  { from: "ask", handle: "timeout", to: "refused" },
] as const;

export const builtNodes = [
  "ask approval",
  "charge http-request",
  "done return",
  "large if",
  "refused return",
  "start start",
  "sum transform",
];

export const builtEdges = [
  "ask approved charge",
  "ask rejected refused",
  "ask timeout refused",
  "charge done",
  "large false charge",
  "large true ask",
  "start sum",
  "sum large",
];

const order = (price: number) => ({
  email: "ada@example.com",
  lines: [{ sku: "pot", price, quantity: 2 }],
});
export const smallOrder = order(22);
export const largeOrder = order(60);

/** Of the large order: it is approved, and the payment was never really made. */
export const orderTest = {
  name: "A large order is asked for",
  answers: { ask: { decision: "approved" }, charge: { status: 200, body: { id: "ch_test" } } },
  output: { charged: true, total: 120, chargeId: "ch_test" },
};

export interface Payment extends LoopbackServer {
  /** The body of each call since it was last emptied. */
  readonly calls: unknown[];
}

/** A payment provider that counts what it is asked for; its answers are numbered. */
export async function startPayment(): Promise<Payment> {
  const calls: unknown[] = [];
  const server = await startLoopbackServer(async (request, response) => {
    const text = await readText(request);
    calls.push(text === "" ? request.url : JSON.parse(text));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ id: `ch_${calls.length}` }));
  });
  return { ...server, calls };
}
