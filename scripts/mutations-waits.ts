import type { Guard } from "./mutants.ts";

const MODEL = "runs/model/model.test.ts › whatever happens";
const ANSWERS = "runs/answers.test.ts";
const WAITS = "runs/waits.test.ts";
const CHILDREN = "runs/child-runs.test.ts";
const TIMEOUTS = "runs/wait-timeouts.test.ts";
const NAMED = "runs/named-answers.test.ts";

const runner = (name: string) => `src/engine/flow-runner/${name}.ts`;
const storage = (name: string) => `src/storage/runs/${name}.ts`;

/** Guards of waits, answers and the runs of sub-flows. */
export const waitGuards: readonly Guard[] = [
  {
    name: "first answer wins",
    file: storage("answer-waits"),
    cut: [
      ["w.kind = 'approval' AND w.answered_at IS NULL", "w.kind = 'approval'"],
      ["WHERE w.answered_at IS NULL AND r.status", "WHERE r.status"],
      ["AND w.attempt = h.attempt\n          AND w.answered_at IS NULL", "AND w.attempt = h.attempt"],
    ],
    suites: [ANSWERS, MODEL],
  },
  {
    name: "run locked before an approval is answered",
    file: storage("answer-waits"),
    cut: [["FOR UPDATE OF r, w\n", "FOR UPDATE OF w\n"]],
    suites: [ANSWERS],
  },
  {
    name: "parent locked before a child answers",
    file: storage("ending"),
    cut: [[" FOR UPDATE OF p", ""]],
    suites: [ANSWERS],
  },
  {
    name: "answers seen when a run pauses again",
    file: "sql/pause_run.sql",
    cut: [["IF EXISTS (SELECT FROM run_waits w", "IF false AND EXISTS (SELECT FROM run_waits w"]],
    suites: [ANSWERS],
  },
  {
    name: "an answer that is heard while a run pauses is left for later",
    file: "src/engine/waits.ts",
    cut: [[" || this.#isSuspended", ""]],
    suites: ["runs/pausing.test.ts"],
  },
  {
    name: "a run that pauses hears no more answers",
    file: runner("run-state"),
    cut: [['if (ending.kind === "suspended") this.options.waits.suspend();', ""]],
    suites: ["runs/pausing.test.ts"],
  },
  {
    name: "answers are taken up while other branches execute",
    file: "src/engine/wait-desk.ts",
    cut: [["if (open.length === 0) return;", "return;"]],
    suites: [`${WAITS} › a child runs beside a slow call`],
  },
  {
    name: "a run ends after what it has begun",
    file: "src/engine/flow-runner/run-state.ts",
    cut: [["this.#saving.add(write);", ""]],
    suites: [`${CHILDREN} › exists although another branch returns`],
  },
  {
    name: "time limit of a container from its first entry",
    file: "src/engine/flow-runner/execute-node.ts",
    cut: [["isContainer ? await run.begin(wait) : undefined", "undefined"]],
    suites: [`${TIMEOUTS} › counts from the first entry of a container`],
  },
  {
    name: "a container that is over takes what waits inside with it",
    file: "src/engine/flow-runner/node-execution.ts",
    cut: [["if (this.node.children !== undefined) this.run.withdraw", "if (false) this.run.withdraw"]],
    suites: [`${TIMEOUTS} › counts from the first entry of a container`],
  },
  {
    name: "children that are to be left are left",
    file: storage("ending"),
    cut: [[" AND w.on_parent_end = 'cancel'", ""]],
    suites: [`${CHILDREN} › a parent that ends`],
  },
  {
    name: "an answer without a name counts once",
    file: storage("answer-waits"),
    cut: [["u.answered_unnamed)", "u.answered_unnamed AND false)"]],
    suites: [`${NAMED} › an answer names its wait`],
  },
];
