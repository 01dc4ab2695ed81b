import type { Guard } from "./mutants.ts";

const MEMORY = "flow-runner/memory.test.ts";
const SERVED_MEMORY = "runs/memory.test.ts";
const CLOCK = "flow-runner/flow-clock.test.ts";
const BRANCHES = "flow-runner/branches.test.ts";
const WAYS = "flow-runner/ways.test.ts";
const LEFT_BEHIND = "flow-runner/left-behind.test.ts";
const GIVEN_UP = "faults/given-up-first.test.ts";
const DRY = "torture/torture.test.ts › in .flows run";
const KILLED = "torture/torture.test.ts › workers are killed";

const runner = (name: string) => `src/engine/flow-runner/${name}.ts`;

/** The rules of what a run means, each broken once; `npm run mutate -- "rule "` runs these alone. */
export const rules: readonly Guard[] = [
  {
    name: "rule 1: what ended is not executed again",
    file: runner("scope-run"),
    cut: [["if (record !== undefined && hasPassed(record)) {", "if (record !== undefined && false) {"]],
    suites: [MEMORY, KILLED],
  },
  {
    name: "rule 1: a failure noted by a loop stays noted",
    file: runner("earlier-failures"),
    cut: [
      [
        "if (!isFailureHandled || restored.size === 0) return undefined;",
        "if (restored.size >= 0) return undefined;",
      ],
    ],
    suites: [MEMORY],
  },
  {
    name: "rule 1: a failure that was handled stays handled",
    file: runner("memory"),
    cut: [[' || (status === "FAILED" && handle != null);', ";"]],
    suites: [MEMORY],
  },
  {
    name: "rule 2: attempts that were made are remembered",
    file: runner("execute-node"),
    cut: [
      ["if (!failed.isRemembered) await execution.run.remember(execution, describeError(failed.error));", ""],
    ],
    suites: [MEMORY, SERVED_MEMORY],
  },
  {
    name: "rule 2: chance is seeded by run and node",
    file: runner("node-execution"),
    cut: [["return `${this.runId} ${this.nodeKey} ${this.#seeds}`;", "return `${Math.random()}`;"]],
    suites: [CLOCK],
  },
  {
    name: "rule 2: time is that of the last fact",
    file: runner("node-inputs"),
    cut: [["this.nowMs = nowMs;", "this.nowMs = execution.services.now();"]],
    suites: [CLOCK],
  },
  {
    name: "rule 2: the way that was first is remembered",
    file: runner("scope-run"),
    cut: [["joinedFrom === undefined || this.#hasOneOrder", "joinedFrom === undefined || true"]],
    suites: [WAYS],
  },
  {
    name: "rule 2: what ends beside a node makes no difference",
    file: runner("scope-run"),
    cut: [["if (!node.readsAside) return", "if (!node.readsAside || true) return"]],
    suites: [WAYS],
  },
  {
    name: "rule 2: the time of a way that lost does not count",
    file: runner("path-times"),
    cut: [["if ((winners?.get(target) ?? position) === position) ", ""]],
    suites: [WAYS],
  },
  {
    name: "rule 3: a round that was begun was begun for ever",
    file: runner("containers"),
    cut: [["hasBegun(execution, index) ||", ""]],
    suites: [CLOCK],
  },
  {
    name: "rule 4: interrupted executions have a record",
    file: runner("node-execution"),
    cut: [["if (status !== undefined && !this.isRecorded)", "if (status === null)"]],
    suites: [MEMORY, DRY],
  },
  {
    name: "rule 4: a node that starts a run has its input",
    file: runner("node-execution"),
    cut: [["if (this.isHalted) tell();\n    else ", "tell();\n    "]],
    suites: [WAYS],
  },
  {
    name: "rule 9: what is under way is aborted",
    file: runner("node-execution"),
    cut: [["this.halt(status);\n", "this.isHalted = true;\n"]],
    suites: [BRANCHES],
  },
  {
    name: "rule 9: fail ends the flow wherever it stands",
    file: "src/engine/nodes/fail.ts",
    cut: [['return { kind: "fail",', 'throw { kind: "fail",']],
    suites: [MEMORY, DRY],
  },
  {
    name: "rule 9: a loop hears that its first round has ended the run",
    file: runner("scope-run"),
    cut: [["if (execution.node.children !== undefined) this.#underWay.add(execution);", ""]],
    suites: ["flow-runner/ends-inside.test.ts"],
  },
  {
    name: "rule 10: effects go before code in the sandbox",
    file: runner("node-inputs"),
    cut: [["      isUrgent,\n", ""]],
    suites: [WAYS],
  },
  {
    name: "rule 16a: a wait is over when the database says so",
    file: "src/engine/wait-desk.ts",
    cut: [["if (leftMs <= 0) return;", "if (leftMs <= Infinity) return;"]],
    suites: ["faults/early-waits.test.ts › ends no wait before"],
  },
  {
    name: "rule 11: a late container stops its lanes",
    file: runner("node-execution"),
    cut: [['part.halt("TIMED_OUT")', "void part"]],
    suites: [MEMORY],
  },
  {
    name: "rule 24: a single value is a list of one",
    file: "src/engine/nodes/support/input-schemas.ts",
    cut: [["[] : [value];", "[] : [];"]],
    suites: ["nodes/pure-nodes.test.ts", DRY],
  },
  {
    name: "rule 17: children end with their parent",
    file: "src/storage/runs/ending.ts",
    cut: [["AND w.on_parent_end = 'cancel'", "AND w.on_parent_end = 'never'"]],
    suites: ["runs/child-runs.test.ts"],
  },
  {
    name: "rule 17: a child that its parent is past is canceled after a kill",
    file: runner("run-flow"),
    cut: [["run.withdrawNow(leftBehind(flow, checkpoints.restored));", "{}"]],
    suites: [`${LEFT_BEHIND} › where its node has ended`, `${LEFT_BEHIND} › where a container around it`],
  },
  {
    name: "rule 11: what is given up is canceled before anything is sent that follows",
    file: runner("given-up"),
    cut: [["return isWritten ? undefined : this.#untilWritten(isInVain);", "return undefined;"]],
    suites: [`${GIVEN_UP} › where the process itself`, `${GIVEN_UP} › where its time is over before`],
  },
  {
    name: "rule 11: what is given up before it has begun is waited for",
    file: runner("wait-for"),
    cut: [["const isOver = () => run.hold(beginning);", "const isOver = () => {};"]],
    suites: [`${GIVEN_UP} › where its time is over before`],
  },
  {
    name: "rule 17: a child of a round that fails before the child has begun is waited for",
    file: runner("node-execution"),
    cut: [["if (!this.isHaltDue) this.run.givenUp.holdUntilStarted(this.begun.promise);", ""]],
    suites: [`${GIVEN_UP} › where its round ends before`],
  },
  {
    name: "rule 17: a child that is started in vain does not wait for itself",
    file: runner("execute-node"),
    cut: [["() => execution.isHaltDue", ""]],
    suites: ["flow-runner/given-up.test.ts › a child whose round ends"],
  },
  {
    name: "rule 17: nothing waits for the next attempt of a child that is given up",
    file: runner("node-execution"),
    cut: [["if (this.attempts > 0) this.markBegun();", ""]],
    suites: ["flow-runner/given-up.test.ts › a child that an earlier epoch"],
  },
  {
    name: "rule 11: what an earlier epoch has begun is not begun again once it is given up",
    file: runner("execute-node"),
    cut: [["  execution.findUnderWay();\n", ""]],
    suites: [`${GIVEN_UP} › is not started again`],
  },
  {
    name: "rule 11: what others have given up is canceled before anything is sent that follows",
    file: "src/engine/waits.ts",
    cut: [['else if (end === "timed-out") await this.cancelGivenUp();', ""]],
    suites: [`${GIVEN_UP} › where others notice it`],
  },
  {
    name: "rule 17: a child of a round that has failed is canceled after a kill",
    file: runner("scope-run"),
    cut: [['this.#options.run.withdraw(isInRound(this.#options), "left");', ""]],
    suites: [`${LEFT_BEHIND} › where its round has failed`],
  },
  {
    name: "rule 17: a child that a round has not come to again is canceled when the round fails",
    file: runner("scope-run"),
    cut: [['\n    run.withdraw(isInRound(this.#options), "left");', ""]],
    suites: [`${GIVEN_UP} › where a round that ends has not come to it again`],
  },
  {
    name: "rule 17: a child of a round that is not come to is canceled after a kill",
    file: runner("scope-run"),
    cut: [["execution.leaveRounds();", ""]],
    suites: [`${LEFT_BEHIND} › where the container fails`],
  },
  {
    name: "a value that holds all nodes holds them as they were",
    file: runner("node-inputs"),
    cut: [
      [
        "if (!node.inputs.some(({ template }) => template.readsAllNodes)) return variables;",
        "if (node) return variables;",
      ],
    ],
    suites: ["flow-runner/whole-context.test.ts"],
  },
  {
    name: "rule 18: a deliberate failure is not tried again",
    file: "src/engine/run-writer.ts",
    cut: [["!isDeliberate &&", ""]],
    suites: [SERVED_MEMORY],
  },
  {
    name: "rule 19: an answer names its wait",
    file: "src/storage/runs/answer-waits.ts",
    cut: [["(SELECT count(*) FROM meant) = 1 AND", ""]],
    suites: ["runs/named-answers.test.ts"],
  },
];
