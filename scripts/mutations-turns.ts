import type { Guard } from "./mutants.ts";

const runner = (name: string) => `src/engine/flow-runner/${name}.ts`;

/** Guards of what thousands do at once, and of what one alone may do in one turn of the event loop. */
export const turnGuards: readonly Guard[] = [
  {
    name: "turns: a large process gives memory back while it works",
    file: "src/lifecycle/heap-growth.ts",
    cut: [["keepSmall.turn(rssBytes > veryLargeBytes);", ""]],
    suites: ["lifecycle/heap-growth.test.ts › gives back what it no longer needs"],
  },
  {
    name: "turns: what runs brought is read when there is room for it",
    file: "src/engine/run-memory.ts",
    cut: [
      [
        "this.#whereRoom(holding, expected, async () => weighInTurn(holding, await read(run, unread)))",
        "weighInTurn(holding, await read(run, unread))",
      ],
    ],
    suites: ["runs/worker-memory.test.ts › reads what runs brought"],
  },
  {
    name: "turns: what runs brought is weighed",
    file: "src/engine/run-memory.ts",
    cut: [["  holding.add(weighPayload(run));\n  collectYoung();", "  collectYoung();"]],
    suites: ["runs/worker-memory.test.ts › reads what runs brought"],
  },
  {
    name: "turns: what bodies have brought is copied body by body",
    file: "src/lifecycle/young-generation.ts",
    cut: [['collector()({ type: "minor" });', ""]],
    suites: ["lifecycle/young-generation.test.ts › what two bodies have brought"],
  },
  {
    name: "turns: nothing is copied where there is little",
    file: "src/lifecycle/young-generation.ts",
    cut: [["if (youngBytes() < muchBytes) return;", ""]],
    suites: ["lifecycle/young-generation.test.ts › where there is little in it"],
  },
  {
    name: "turns: bodies are read a little at a time",
    file: "src/http/pieces.ts",
    cut: [["return super.push(piece) && mayGoOn", "return super.push(piece)"]],
    suites: ["http/intake.test.ts › that are wanted"],
  },
  {
    name: "turns: also what nobody wants",
    file: "src/http/pieces.ts",
    cut: [["  _dump(): void {", "  dumpLater(): void {"]],
    suites: ["http/intake.test.ts › that nobody wants"],
  },
  {
    name: "turns: connections end a few at a time",
    file: "src/lifecycle/turn-share.ts",
    cut: [
      [
        "    this.whenRoom(() => {\n      this.take(this.#options.each);\n      work();\n    });",
        "    work();",
      ],
    ],
    suites: ["http/paced-endings.test.ts › connections that end"],
  },
  {
    name: "turns: also those that are reset",
    file: "src/http/paced-endings.ts",
    cut: [["    socket._destroy = destroy;\n", ""]],
    suites: ["http/paced-endings.test.ts › connections that are reset"],
  },
  {
    name: "turns: answers to requests that are late",
    file: "src/http/client-error.ts",
    cut: [["endings.inTurn(() => {", "setImmediate(() => {"]],
    suites: ["http/paced-endings.test.ts › requests that are late"],
  },
  {
    name: "turns: headers that are too many are one error",
    file: "src/upstream/guarded-http/overflow-once.ts",
    cut: [["parser.headersMaxSize = Infinity", "void parser"]],
    suites: ["upstream/hostile-upstream.test.ts › are one error"],
  },
  {
    name: "turns: lists in lists are paid for",
    file: "src/domain/flow/expressions/bounded/values.ts",
    cut: [["items.length + stepsOfList", "items.length"]],
    suites: ["flow/bounded-cost.test.ts"],
  },
  {
    name: "turns: lists that an expression makes are paid for",
    file: "src/domain/flow/expressions/bounded/evaluation.ts",
    cut: [["    this.#meter.spend(stepsOfMark);\n", ""]],
    suites: ["flow/bounded-cost.test.ts"],
  },
  {
    name: "turns: a lane counts the loops inside of it",
    file: runner("containers"),
    cut: [[" + (execution.node.children as CompiledScope).containers", ""]],
    suites: ["flow-runner/containers.test.ts › deeper inside"],
  },
  {
    name: "turns: a look at the sockets after a large piece of work",
    file: "src/lifecycle/event-loop.ts",
    cut: [["if (outsideForMs > calmSliceMs && !this.#hasStoodBack)", "if (Number.isNaN(outsideForMs))"]],
    suites: ["lifecycle/event-loop.test.ts › stands back for a look"],
  },
  {
    name: "turns: one look, and the others go on",
    file: "src/lifecycle/event-loop.ts",
    cut: [["      this.#hasStoodBack = true;\n", ""]],
    suites: ["lifecycle/event-loop.test.ts › stands back once"],
  },
  {
    name: "turns: what lies ahead counts",
    file: "src/lifecycle/event-loop.ts",
    cut: [["nowMs + this.#aheadMs >", "nowMs >"]],
    suites: ["lifecycle/event-loop.test.ts › have ahead of them"],
  },
  {
    name: "turns: many small things go by organization",
    file: "src/lifecycle/event-loop.ts",
    cut: [["this.queue(organizationId, begin, { isUrgent: true })", 'this.queue("", begin)']],
    suites: ["lifecycle/event-loop.test.ts › many small things"],
  },
  {
    name: "turns: calls begin a few at a time",
    file: runner("execute-node"),
    cut: [["held.then(() => untilItsTurn(execution))", "held"]],
    suites: ["flow-runner/many-at-once.test.ts › begin in several turns"],
  },
  {
    name: "turns: calls are given up a few at a time",
    file: runner("node-execution"),
    cut: [["this.stopInTurn(() => this.#stop());", "this.#stop();"]],
    suites: ["flow-runner/many-at-once.test.ts › of a run that ends"],
  },
  {
    name: "turns: calls run out of time a few at a time",
    file: runner("execute-node"),
    cut: [["execution.stopInTurn(over)", "run.turn(nodeKey, over)"]],
    suites: ["flow-runner/many-at-once.test.ts › whose time is over"],
  },
  {
    name: "turns: a large value in a text",
    file: "src/domain/flow/expressions/template.ts",
    cut: [
      ["? await driveSliced(writeJson(value), () => environment.giveWay?.())", "? JSON.stringify(value)"],
    ],
    suites: ["flow-runner/slices.test.ts › a text with a large value"],
  },
];
