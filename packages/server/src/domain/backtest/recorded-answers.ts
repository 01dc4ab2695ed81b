import { isEqual } from "../flow-test/differences.ts";
import type { ReplayAnswer, ReplayCall } from "../replay.ts";
import type { RunNodeRecord } from "../run-record.ts";
import type { Sliced } from "../sliced.ts";

/** A replay takes no time of its own, so what was stopped with its run is stopped after whatever has ended the run. */
const AFTER_THE_END_MS = 1;

/** What a recorded run knows of calls: those that were made, by node and input. */
export class RecordedAnswers {
  readonly #byKey: ReadonlyMap<string, RunNodeRecord>;
  readonly #byNode: ReadonlyMap<string, readonly RunNodeRecord[]>;

  constructor(records: readonly RunNodeRecord[]) {
    this.#byKey = new Map(records.map((record) => [record.nodeKey, record]));
    this.#byNode = Map.groupBy(records, ({ nodeId }) => nodeId);
  }

  /** The call as it was made: by the same node with the same input, in the same round or in another one. */
  *ofSameInput(call: ReplayCall): Sliced<ReplayAnswer | undefined> {
    const own = this.#byKey.get(call.nodeKey);
    if (own !== undefined && (call.type === "approval" || (yield* isSame(own, call))))
      return answerOf(own, call);
    // A person was asked once, and a time has passed once.
    if (call.type === "approval" || call.type === "wait") return undefined;
    for (const other of this.#byNode.get(call.nodeId) ?? [])
      if (yield* isSame(other, call)) return answerOf(other, call);
    return undefined;
  }

  /** What the node has answered, whatever it is given now. */
  *ofNode(call: ReplayCall): Sliced<ReplayAnswer | undefined> {
    const own = this.#byKey.get(call.nodeKey);
    return (yield* this.ofSameInput(call)) ?? (own && call.type !== "wait" ? answerOf(own, call) : undefined);
  }
}

function* isSame({ type, input }: RunNodeRecord, call: ReplayCall): Sliced<boolean> {
  return type === call.type && (yield* isEqual(input ?? {}, call.input));
}

function answerOf(record: RunNodeRecord, { attempt }: ReplayCall): ReplayAnswer {
  const { status, attempts, endedAt, output, error } = record;
  if (status === "COMPLETED") return { output: output ?? {}, atMs: endedAt };
  if (status !== "FAILED") return { unknown: true, atMs: endedAt + AFTER_THE_END_MS };
  const { name, message } = error ?? { name: "NodeFailed", message: "" };
  const failed = { name, message, status: statusOf(message) };
  // When the attempts before the last one have failed is not known; they are over before it, and were worth another one.
  return attempt < attempts ? { error: { ...failed, mayPass: true } } : { error: failed, atMs: endedAt };
}

/** A record keeps the words of an error alone; `retry.on` looks at the status in them. */
function statusOf(message: string): number | undefined {
  const status = /^The server answered (\d{3})\b/.exec(message)?.[1];
  return status === undefined ? undefined : Number(status);
}
