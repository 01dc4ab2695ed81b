/** One guard of the run engine: how to take it out, and the tests that must miss it. */
export interface Guard {
  readonly name: string;
  /** Below packages/server. */
  readonly file: string;
  /** Texts and what is put in their place. */
  readonly cut: readonly (readonly [string, string])[];
  /** Below packages/server/tests; behind " › " the name of a single test. */
  readonly suites: readonly string[];
}

const FENCE = "runs/fence.test.ts";
const MODEL = "runs/model › whatever happens";
const ANSWERS = "runs/answers.test.ts";
const WAITS = "runs/waits.test.ts";
const CHILDREN = "runs/child-runs.test.ts";
const TIMEOUTS = "runs/wait-timeouts.test.ts";
const NAMED = "runs/named-answers.test.ts";

const MEMORY = "flow-runner/memory.test.ts";
const CLOCK = "flow-runner/flow-clock.test.ts";

const runner = (name: string) => `src/engine/flow-runner/${name}.ts`;
const storage = (name: string) => `src/storage/runs/${name}.ts`;

export const guards: readonly Guard[] = [
  {
    name: "epoch in checkpoint",
    file: storage("checkpoint-runs"),
    cut: [
      ["SELECT r.organization_id, r.id, r.epoch FROM (", "SELECT r.organization_id, r.id, a.epoch FROM ("],
      ["r.id = a.run_id AND r.epoch = a.epoch", "r.id = a.run_id"],
    ],
    suites: [FENCE, MODEL],
  },
  {
    name: "FOR SHARE in checkpoint",
    file: storage("checkpoint-runs"),
    cut: [[" FOR SHARE OF r", ""]],
    suites: [FENCE],
  },
  {
    name: "no checkpoint after an end from outside",
    file: storage("checkpoint-runs"),
    cut: [
      ["SELECT r.organization_id, r.id, r.epoch FROM (", "SELECT r.organization_id, r.id, a.epoch FROM ("],
      [
        "r.id = a.run_id AND r.epoch = a.epoch",
        "r.id = a.run_id AND a.epoch IN (r.epoch, r.finished_epoch - 1)",
      ],
      ["WHERE r.status = 'EXECUTING'", "WHERE r.status IN ('EXECUTING', 'CANCELED', 'TIMED_OUT')"],
    ],
    suites: [FENCE],
  },
  {
    name: "epoch in finish",
    file: storage("finish-runs"),
    cut: [["r.id = a.id AND r.epoch = a.epoch AND", "r.id = a.id AND"]],
    suites: [FENCE, MODEL],
  },
  {
    name: "status in finish",
    file: storage("finish-runs"),
    cut: [["r.epoch = a.epoch AND r.status = 'EXECUTING'", "r.epoch = a.epoch"]],
    suites: [MODEL],
  },
  {
    name: "epoch in retry",
    file: storage("retry-run"),
    cut: [[" AND r.epoch = $3", " AND $3::integer IS NOT NULL"]],
    suites: [FENCE, MODEL],
  },
  {
    name: "attempts in retry",
    file: storage("retry-run"),
    cut: [[" AND r.attempt < r.max_attempts", ""]],
    suites: [MODEL],
  },
  {
    name: "epoch in pause",
    file: "sql/pause_run.sql",
    cut: [[" AND r.epoch = v_epoch", ""]],
    suites: [FENCE, MODEL],
  },
  {
    name: "epoch in release",
    file: storage("release-runs"),
    cut: [[" AND r.epoch = a.epoch", ""]],
    suites: [FENCE],
  },
  {
    name: "epoch raised by reap",
    file: storage("reap-runs"),
    cut: [["epoch = r.epoch + 1, recoveries", "epoch = r.epoch, recoveries"]],
    suites: [FENCE, MODEL],
  },
  {
    name: "three losses in reap",
    file: storage("reap-runs"),
    cut: [
      ["r.recoveries + 1 < ${MAX_LOSSES}", "true"],
      ["r.recoveries + 1 >= ${MAX_LOSSES}", "false"],
    ],
    suites: [FENCE, MODEL],
  },
  {
    name: "onlyQueued in delete",
    file: storage("cancel-run"),
    cut: [
      [
        "`r.status = 'WAITING' AND r.stage = 'queued' AND r.answered_queued AND r.started_at IS NULL`",
        "`r.status IN ('WAITING', 'EXECUTING')`",
      ],
    ],
    suites: ["runs/races.test.ts › a run that was dispatched cannot be deleted from the queue", MODEL],
  },
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
    name: "no effect while the database is away",
    file: "src/engine/flow-runner/execute-node.ts",
    cut: [["const held = mustKnow ?", "const held = false ?"]],
    suites: ["flow-runner/before-effect.test.ts"],
  },
  {
    name: "children end with their parent",
    file: storage("ending"),
    cut: [["w.on_parent_end = 'cancel'", "false"]],
    suites: [`${CHILDREN} › a parent that ends`],
  },
  {
    name: "children that are to be left are left",
    file: storage("ending"),
    cut: [[" AND w.on_parent_end = 'cancel'", ""]],
    suites: [`${CHILDREN} › a parent that ends`],
  },
  {
    name: "an answer means one approval",
    file: storage("answer-waits"),
    cut: [["(SELECT count(*) FROM meant) = 1 AND", ""]],
    suites: [`${NAMED} › an answer names its wait`],
  },
  {
    name: "an answer without a name counts once",
    file: storage("answer-waits"),
    cut: [["u.answered_unnamed)", "u.answered_unnamed AND false)"]],
    suites: [`${NAMED} › an answer names its wait`],
  },
  {
    name: "grace and deadline in time-out",
    file: storage("time-out-runs"),
    cut: [
      [
        "deadline_at < ${NOW} - make_interval(secs => ${GRACE_SECONDS})",
        "deadline_at < ${NOW} - interval '1 hour'",
      ],
    ],
    suites: [MODEL],
  },
  {
    name: "worker stops itself when cut off",
    file: "src/engine/engine.ts",
    cut: [["this.worker.stopAll()", "undefined"]],
    suites: ["runs/network.test.ts › stops a worker that is cut off"],
  },
  {
    name: "poll behind the wake-ups",
    file: "src/engine/engine.ts",
    cut: [["const CLAIM_POLL_MS = 1_000", "const CLAIM_POLL_MS = 60_000"]],
    suites: ["runs/network.test.ts › costs about a second"],
  },
  {
    name: "reaper",
    file: "src/engine/duties/reaper.ts",
    cut: [["await reapRuns(pool)", "[] as Awaited<ReturnType<typeof reapRuns>>"]],
    suites: ["runs/processes.test.ts › loses nothing"],
  },
  {
    name: "literal addresses are judged",
    file: "src/upstream/address-guard.ts",
    cut: [["if (isIP(name) !== 0 && !isAllowed(name)) throw refused(name);", ""]],
    // Only judged there, never dialled.
    suites: ["upstream/address-guard.test.ts › is refused"],
  },
  {
    name: "RE2 for regular expressions",
    file: "src/engine/sandbox/child-expression.ts",
    cut: [["RegexEngine: re2RegexEngine,", ""]],
    suites: ["sandbox/expression.test.ts › backtrack for ever"],
  },
  {
    name: "a child that is called off is killed",
    file: "src/engine/sandbox/pool.ts",
    cut: [['seat.state = "ended";\n    seat.child.kill();', 'seat.state = "ended";']],
    suites: ["sandbox/pool.test.ts › a canceled call ends at once"],
  },
  {
    name: "memory: what failed and was handled has passed",
    file: runner("memory"),
    cut: [[' || (status === "FAILED" && handle != null)', ""]],
    suites: [MEMORY],
  },
  {
    name: "memory: effects are facts",
    file: runner("memory"),
    cut: [["if (kind.effect || kind.pauses) return true;", ""]],
    suites: [MEMORY],
  },
  {
    name: "memory: a failed container is a fact",
    file: runner("memory"),
    cut: [["(kind.container === true || passing", "(false || passing"]],
    suites: [MEMORY],
  },
  {
    name: "memory: a round that failed does not begin again",
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
    name: "memory: attempts",
    file: runner("execute-node"),
    cut: [["if (!failed.isRemembered) await", "if (failed.isRemembered) await"]],
    suites: [MEMORY],
  },
  {
    name: "memory: time",
    file: runner("node-inputs"),
    cut: [["nowMs: () => nowMs,", "nowMs: () => Date.now(),"]],
    suites: [CLOCK],
  },
  {
    name: "memory: time goes on with facts",
    file: runner("scope-run"),
    cut: [["if (atMs > enteredMs) (this", "if (atMs < 0) (this"]],
    suites: [CLOCK],
  },
  {
    name: "memory: chance",
    file: runner("node-inputs"),
    cut: [["seed: execution.nextSeed(),", ""]],
    suites: [CLOCK],
  },
  {
    name: "memory: rounds of a while that were true",
    file: runner("containers"),
    cut: [["hasBegun(execution, index) ||", ""]],
    suites: [CLOCK],
  },
  {
    name: "memory: items of a loop",
    file: runner("memory"),
    cut: [["node.children === undefined ? undefined :", "true ? undefined :"]],
    suites: [CLOCK],
  },
  {
    name: "memory: records of what was stopped",
    file: runner("scope-run"),
    cut: [
      [
        "if (status !== undefined && !execution.isRecorded)",
        "if (status !== undefined && execution.isRecorded)",
      ],
    ],
    suites: [MEMORY],
  },
  {
    name: "nothing new begins when the attempt is over",
    file: runner("execute-node"),
    cut: [["  execution.check(attempts);\n  return execution.run.turn", "  return execution.run.turn"]],
    suites: [MEMORY],
  },
  {
    name: "effects go before pure work",
    file: "src/domain/flow/take-next.ts",
    cut: [["if (!scope.hasUrgency || ready.length === 1)", "if (ready.length > 0)"]],
    suites: ["flow-runner/containers.test.ts › never holds up an effect"],
  },
  {
    name: "a deliberate fail is not tried again",
    file: "src/engine/run-writer.ts",
    cut: [["!isDeliberate &&", ""]],
    suites: ["runs/memory.test.ts › fails on purpose"],
  },
  {
    name: "processor time of the sandbox",
    file: "src/engine/sandbox/call-child.ts",
    cut: [["wallPerCpuMs * request.cpuMs + wallGraceMs", "request.cpuMs + 500"]],
    suites: ["sandbox/pool.test.ts › a job is charged"],
  },
  {
    name: "5 MB of the sandbox",
    file: "src/engine/sandbox/result-limits.ts",
    cut: [["maxResultTextLength = 5_500_000", "maxResultTextLength = 1_048_576"]],
    suites: ["nodes/code.test.ts › may answer 5 MB"],
  },
  {
    name: "a single value is a list",
    file: "src/engine/nodes/support/input-schemas.ts",
    cut: [["return value === null || value === undefined ? [] : [value];", "return value as unknown[];"]],
    suites: ["nodes/pure-nodes.test.ts › a list where a list is wanted"],
  },
];
