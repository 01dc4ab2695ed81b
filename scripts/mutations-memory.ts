import type { Guard } from "./mutants.ts";

const MEMORY = "flow-runner/memory.test.ts";
const CLOCK = "flow-runner/flow-clock.test.ts";

const runner = (name: string) => `src/engine/flow-runner/${name}.ts`;

/** Guards of what a run remembers, and of the order of its nodes. */
export const memoryGuards: readonly Guard[] = [
  {
    name: "no effect while the database is away",
    file: "src/engine/flow-runner/execute-node.ts",
    cut: [["begun === undefined ? run.beforeEffect() : run.givenUp", "run.givenUp"]],
    suites: [
      "flow-runner/before-effect.test.ts › begins only when it is known",
      "flow-runner/before-effect.test.ts › may not begin yet",
    ],
  },
  {
    name: "what was looked up lasts before an effect or a pause begins",
    file: runner("execute-node"),
    cut: [
      ["execution.isLookUp ? undefined : run.untilFoundLasts()", "undefined as Promise<void> | undefined"],
    ],
    suites: [
      "flow-runner/look-ups.test.ts › sends the same again",
      "flow-runner/look-ups.test.ts › cannot be saved",
    ],
  },
  {
    name: "what was looked up lasts before a container's time begins",
    file: runner("execute-node"),
    cut: [["isContainer ? run.untilFoundLasts() : undefined", "undefined"]],
    suites: ["flow-runner/look-ups.test.ts › cannot be saved"],
  },
  {
    name: "what was looked up and is being saved is awaited",
    file: runner("run-state"),
    cut: [["=== undefined ? this.#foundUnderWay : this.save()", "=== undefined ? undefined : this.save()"]],
    suites: ["flow-runner/look-ups.test.ts › another branch has begun"],
  },
  {
    name: "what was looked up does not stay unsaved for long",
    file: runner("run-state"),
    cut: [['() => this.follow("", this.save(), () => {}), maxUnsavedMs', "() => {}, maxUnsavedMs"]],
    suites: ["flow-runner/look-ups.test.ts › goes on for long"],
  },
  {
    name: "records of a run are saved one after the other",
    file: runner("run-state"),
    cut: [["this.#nextSave ??= this.#saveUnderWay?.then(", "void this.#saveUnderWay?.then("]],
    suites: ["flow-runner/checkpoints.test.ts › one is saved after the other"],
  },
  {
    name: "an expression that is under way is awaited before anything else",
    file: runner("node-inputs"),
    cut: [["if (!isUnderWay) await", "await"]],
    suites: ["flow-runner/late-awaits.test.ts"],
  },
  {
    name: "time that is over before anybody waits for it ends no process",
    file: runner("execute-node"),
    cut: [["timeout.promise.catch(() => {});", ""]],
    suites: ["flow-runner/late-awaits.test.ts"],
  },
  {
    name: "a large flow counts as memory of one of its runs",
    file: "src/engine/held-flows.ts",
    cut: [["else if (counting === holding) next.add(flow.bytes);", ""]],
    suites: ["runs/held-flows.test.ts"],
  },
  {
    name: "compiled flows are kept by what they take in memory",
    file: "src/operations/flows/flow-library.ts",
    cut: [["      cache.delete(key);\n      cache.set(", "      cache.set("]],
    suites: ["apply/flow-library.test.ts"],
  },
  {
    name: "shared memory: a large run waits before its next node",
    file: runner("scope-run"),
    cut: [["if (room !== undefined) {", "if (room === null) {"]],
    suites: ["flow-runner/shared-memory.test.ts"],
  },
  {
    name: "shared memory: a round gives back what it held",
    file: runner("scope-memory"),
    cut: [["add(resultBytes - this.#bytes)", "add(resultBytes)"]],
    suites: ["flow-runner/shared-memory.test.ts"],
  },
  {
    name: "shared memory: only as many runs begin as there is room for",
    file: "src/engine/run-memory.ts",
    cut: [["if (room < (rooms.get(id) ?? shared.newcomer)) rooms.set(id, room);", ""]],
    suites: ["runs/run-memory.test.ts › runs that hold much"],
  },
  {
    name: "shared memory: the oldest large one goes on",
    file: "src/lifecycle/shared-memory.ts",
    cut: [["return holding === first || ", "return "]],
    suites: ["lifecycle/shared-memory.test.ts"],
  },
  {
    name: "what ends a large run is saved with its end",
    file: "src/engine/write-outcome.ts",
    cut: [["record !== last && isKnownAnyway(record));\n  if", "isKnownAnyway(record));\n  if"]],
    suites: ["runs/large-ends.test.ts › by its return"],
  },
  {
    name: "what the end of a large run stops is saved with it",
    file: "src/engine/write-outcome.ts",
    cut: [["CONTAINERS.has(type) && attempts === 1", "true"]],
    suites: ["runs/large-ends.test.ts › by its return"],
  },
  {
    name: "a large output stands in the record of its return",
    file: "src/engine/write-outcome.ts",
    cut: [["outputMark: placeOfOutput", ""]],
    suites: ["runs/large-ends.test.ts › by its return"],
  },
  {
    name: "a large text that a socket may still read keeps its memory",
    file: "src/domain/json-text.ts",
    cut: [["if (this.#sendings > 0) return;", ""]],
    suites: ["storage/large-messages.test.ts › what a socket still sends"],
  },
  {
    name: "and so do those that a large list is made of",
    file: "src/domain/json-text.ts",
    cut: [["LIST.end], items)", "LIST.end])"]],
    suites: ["storage/large-messages.test.ts › what a socket still sends"],
  },
  {
    name: "a portion of a large run that cannot be saved gives its memory back",
    file: "src/engine/write-large.ts",
    cut: [["    next?.written.free();\n    freeAll(portion);\n", ""]],
    suites: ["runs/large-portions.test.ts › also where"],
  },
  {
    name: "it may be given back twice",
    file: "src/domain/free-bytes.ts",
    cut: [["isWhole && !memory.detached", "isWhole"]],
    suites: ["domain/free-bytes.test.ts › gives its memory back"],
  },
  {
    name: "many small records of a large run are several portions",
    file: "src/engine/write-large.ts",
    cut: [[" || portion.length === portionRecords", ""]],
    suites: ["runs/large-portions.test.ts › of small records"],
  },
  {
    name: "sandbox: what was canceled is not begun",
    file: "src/engine/sandbox/pool.ts",
    cut: [["    if (job.signal?.aborted) throw CANCELED;\n", ""]],
    suites: ["sandbox/pool.test.ts › canceled while it begins"],
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
    name: "memory: time goes on with facts",
    file: runner("scope-run"),
    cut: [["if (atMs <= enteredMs) return;", "if (atMs >= 0) return;"]],
    suites: [CLOCK],
  },
  {
    name: "memory: chance",
    file: runner("node-inputs"),
    cut: [["seed: this.#execution.nextSeed(),", ""]],
    suites: [CLOCK],
  },
  {
    name: "memory: items of a loop",
    file: runner("memory"),
    cut: [["node.children === undefined ? undefined :", "true ? undefined :"]],
    suites: [CLOCK],
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
];
