// What a flow costs without the queue: `node bench/flows.ts` prints a table and, last, one line of JSON.
// The bars hold for one core of a quiet machine. CPU: time at work, which busy neighbours do not stretch.
import { type FlowGraph, flowGraphSchema } from "@millrace/contract/documents/graph";
import { compileFlow } from "../packages/server/src/domain/flow/compile.ts";
import {
  compileTemplate,
  evaluateTemplate,
} from "../packages/server/src/domain/flow/expressions/template.ts";
import { runFlow } from "../packages/server/src/engine/flow-runner/run-flow.ts";
import type { RunOptions } from "../packages/server/src/engine/flow-runner/run-types.ts";
import type { NodeServices } from "../packages/server/src/engine/nodes/node-type.ts";
import { nodeTypes } from "../packages/server/src/engine/nodes/registry.ts";
import { createSandbox } from "../packages/server/src/engine/sandbox/pool.ts";
import { type Figure, isMet, renderFigures } from "./support/figures.ts";
import { percentile } from "./support/statistics.ts";

const NODES = 60;
const FLOW_RUNS = 300;
const EXPRESSION_ROUNDS = 20_000;
const CODE_CALLS = 300;

const root = {
  trigger: { body: { name: "Ada", tags: ["a", "b", "c"] }, headers: {}, query: {}, method: "POST" },
  data: {
    amount: 250,
    country: "TR",
    items: Array.from({ length: 20 }, (_, id) => ({ id, price: id * 1.5 })),
  },
  nodes: { fetch: { status: 200, body: { user: { name: "Grace", age: 36 } } } },
  run: { id: "run_1", attempt: 1, flowId: "flow_1", organizationId: "org_1" },
};

const expressions = [
  "{{ trigger.body.name }}",
  "{{ nodes.fetch.body.user.name }}",
  "{{ data.amount > 100 and data.country = 'TR' }}",
  "{{ (data.amount * 1.18) + 20 }}",
  "Hello {{ trigger.body.name }}, you owe {{ data.amount }} EUR",
  "{{ $uppercase(trigger.body.name) & '-' & $string(data.amount) }}",
  "{{ data.items[3].price }}",
  "{{ $sum(data.items.price) }}",
  "{{ nodes.fetch.status = 200 ? 'ok' : 'bad' }}",
  "{{ $count(trigger.body.tags) }}",
];

/** A chain of `set` nodes, each with two bounded expressions over the node before it. */
function longFlow(): FlowGraph {
  const ids = Array.from({ length: NODES - 2 }, (_, at) => `step${at}`);
  const steps = ids.map((id, at) => {
    const before = at === 0 ? "data" : `nodes.step${at - 1}`;
    const values = { n: `{{ ${before}.n + 1 }}`, text: `{{ $substring(${before}.text, 0, 8) & '!' }}` };
    return { id, type: "set", data: { inputs: { values } } };
  });
  const last = ids.at(-1);
  const value = {
    n: `{{ nodes.${last}.n }}`,
    text: "{{ data.text }}",
    a: "{{ run.id }}",
    b: "{{ trigger.method }}",
  };
  const all = [
    { id: "start", type: "start" },
    ...steps,
    { id: "done", type: "return", data: { inputs: { value } } },
  ];
  const edges = all.slice(1).map(({ id }, at) => ({ source: all[at]!.id, target: id }));
  return flowGraphSchema.parse({ nodes: all, edges });
}

async function measureFlow(): Promise<Figure[]> {
  const graph = longFlow();
  const count = graph.nodes.flatMap((node) => JSON.stringify(node.data ?? {}).match(/\{\{/g) ?? []).length;
  const compileMs = timed(() => compileFlow(graph, nodeTypes));
  const flow = compileFlow(graph, nodeTypes);
  const times: number[] = [];
  const cpuTimes: number[] = [];
  for (let round = 0; round < FLOW_RUNS; round += 1) {
    const startedAt = performance.now();
    const cpuBefore = process.cpuUsage();
    const outcome = await runFlow({
      flow,
      nodeTypes,
      run: root.run,
      trigger: root.trigger,
      data: { n: 0, text: "long enough" },
      services: { now: Date.now } as NodeServices,
      resolveCredential: () => Promise.reject(new Error("there is none")),
      checkpoints: { restored: new Map(), save: async () => {} },
      waits: {} as RunOptions["waits"],
    });
    times.push(performance.now() - startedAt);
    const { user, system } = process.cpuUsage(cpuBefore);
    cpuTimes.push((user + system) / 1_000);
    if (outcome.kind !== "completed" || outcome.output["n"] !== NODES - 2)
      throw new Error("The flow went wrong.");
  }
  const note = `${graph.nodes.length} nodes, ${count} expressions`;
  return [
    { name: "flow in memory, first run of the process, CPU", unit: "ms", service: cpuTimes[0]!, note },
    { name: "flow in memory, p50", unit: "ms", service: percentile(times, 50), bar: { most: 15 }, note },
    {
      name: "flow in memory, p99, CPU",
      unit: "ms",
      service: percentile(cpuTimes, 99),
      bar: { most: 15 },
      note,
    },
    { name: "compiling the same flow", unit: "ms", service: compileMs },
  ];
}

function measureExpressions(): Figure[] {
  const environment = {
    root,
    nowMs: Date.now(),
    evaluateUnbounded: () => Promise.reject(new Error("This expression is not bounded.")),
  };
  const templates = expressions.map((source) => ({ source, template: compileTemplate(source) }));
  const costs = templates.map(({ source, template }) => {
    for (let round = 0; round < EXPRESSION_ROUNDS / 10; round += 1) evaluateTemplate(template, environment);
    const ms = timed(() => {
      for (let round = 0; round < EXPRESSION_ROUNDS; round += 1) evaluateTemplate(template, environment);
    });
    return { source, us: (ms * 1_000) / EXPRESSION_ROUNDS };
  });
  const slowest = costs.reduce((worst, cost) => (cost.us > worst.us ? cost : worst));
  const mean = costs.reduce((sum, { us }) => sum + us, 0) / costs.length;
  return [
    { name: "bounded expression, mean", unit: "µs", service: mean, bar: { most: 20 } },
    {
      name: "bounded expression, slowest",
      unit: "µs",
      service: slowest.us,
      bar: { most: 20 },
      note: slowest.source,
    },
  ];
}

async function measureCode(): Promise<Figure[]> {
  const sandbox = createSandbox();
  const job = {
    organizationId: "org_1",
    language: "code" as const,
    source: "return input.items.filter((item) => item.id % 2).map((item) => item.price)",
    input: { items: root.data.items },
  };
  try {
    const coldStart = performance.now();
    await sandbox.run(job);
    const coldMs = performance.now() - coldStart;
    const times: number[] = [];
    for (let call = 0; call < CODE_CALLS; call += 1) {
      const startedAt = performance.now();
      await sandbox.run(job);
      times.push(performance.now() - startedAt);
    }
    return [
      { name: "code, warm pool, p50", unit: "ms", service: percentile(times, 50), bar: { most: 5 } },
      { name: "code, warm pool, p99", unit: "ms", service: percentile(times, 99) },
      { name: "code, first call", unit: "ms", service: coldMs },
    ];
  } finally {
    await sandbox.close();
  }
}

function timed(work: () => unknown): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

const figures = [...(await measureFlow()), ...measureExpressions(), ...(await measureCode())];
console.log(renderFigures(figures));
console.log(JSON.stringify(figures.map((figure) => ({ ...figure, met: isMet(figure) }))));
process.exitCode = figures.every(isMet) ? 0 : 1;
