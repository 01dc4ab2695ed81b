import type { Guard } from "./mutants.ts";

const STREAM = "runs-read/stream.test.ts";
const STREAM_NODES = "runs-read/stream-nodes.test.ts";
const BROKEN = "flows-end-to-end/broken-text.test.ts";
const ORDER = "flows-end-to-end/key-order.test.ts";

/** What keeps streams, texts and the order of keys whole. */
export const textGuards: readonly Guard[] = [
  {
    name: "only the head of a record is read for many",
    file: "src/storage/runs/record-head.ts",
    cut: [["`(split_part(record::text, ',\"attempts\":', 1) || '}')::json`", '"record"']],
    suites: [`${STREAM_NODES} › whatever the values`],
  },
  {
    name: "one bad row costs only itself",
    file: "src/operations/runs/read-node-changes.ts",
    cut: [["if (runs.length <= 1) return new Map();", "if (runs.length > 0) throw error;"]],
    suites: [`${STREAM_NODES} › cannot be read at all`],
  },
  {
    name: "each organization's nodes are read apart",
    file: "src/operations/runs/node-reads.ts",
    cut: [["const MAX_ORGANIZATIONS_AT_ONCE = 4;", "const MAX_ORGANIZATIONS_AT_ONCE = 1;"]],
    suites: ["runs-read/run-watch.test.ts › delays nobody else"],
  },
  {
    name: "late joiners hear of what is not stored",
    file: "src/operations/runs/node-watch.ts",
    cut: [["Array.from(live, toNodeChange)", "Array.from([], toNodeChange)"]],
    suites: [`${STREAM_NODES} › joins late`],
  },
  {
    name: "the end waits for the nodes",
    file: "src/http/run-stream.ts",
    cut: [["if (this.#isSendingNodes) this.#saidLater = say;\n    else say();", "say();"]],
    suites: [`${STREAM_NODES} › loses no node`],
  },
  {
    name: "204 for a reader that has seen the end",
    file: "src/http/routes/stream-run.ts",
    cut: [["if (hasSeenEnd && isTerminal(run.status)) return undefined;", ""]],
    suites: [`${STREAM} › does not begin again`],
  },
  {
    name: "moments of a run rise",
    file: "src/engine/flow-runner/run-state.ts",
    cut: [
      ["Math.max(this.options.services.now(), this.#lastMoment + leastMs)", "this.options.services.now()"],
    ],
    suites: ["flow-runner/checkpoints.test.ts › no two moments"],
  },
  {
    name: "broken texts are mended",
    file: "src/engine/flow-runner/node-execution.ts",
    cut: [["return wellFormedValue(value);", "return value;"]],
    suites: [`${BROKEN} › out of another server`, `${BROKEN} › an input that an expression`],
  },
  {
    name: "keys in the order of the document",
    file: "src/storage/key-order.ts",
    cut: [["THEN ${ordered} ELSE", "THEN ${plain}::json ELSE"]],
    suites: [`${ORDER} › keys keep their order`, `${ORDER} › schedule`],
  },
  {
    name: "what an older release writes counts",
    file: "src/storage/key-order.ts",
    cut: [["WHEN ${ordered}::jsonb = ${plain} THEN", "WHEN ${ordered} IS NOT NULL THEN"]],
    suites: [`${ORDER} › an older release`],
  },
  {
    name: "another order of keys is another version",
    file: "src/domain/flow/version-hash.ts",
    cut: [
      [
        "inOrder(data.inputs)",
        "JSON.parse(JSON.stringify(data.inputs, (_key, value) => (value?.constructor === Object ? inOrder(value) : value)))",
      ],
    ],
    suites: ["flow/version-hash.test.ts › what a run does"],
  },
];
