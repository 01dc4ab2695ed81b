/** What somebody's synchronous work is done for; the watchdog names it when that work does not end. */
export interface Work {
  readonly kind: "run" | "flow" | "route";
  readonly organizationId?: string;
  readonly runId?: string;
  readonly flowId?: string;
  readonly nodeKey?: string;
  readonly route?: string;
  readonly requestId?: string;
}

// Positions of the numbers, then two texts.
const BEATS = 0;
const DEBUGGED = 1;
const BUSY = 2;
const LABEL_BYTES = 3;
const PART_BYTES = 4;
const NUMBERS = 5;
const MAX_TEXT_BYTES = 480;

export const STALL_MEMORY_BYTES = NUMBERS * 4 + 2 * MAX_TEXT_BYTES;

/**
 * The few bytes that the event loop writes and the watchdog's thread reads. No locks: while the loop stands still
 * nobody writes, and only then does it matter what is read.
 */
export class StallMemory {
  readonly #numbers: Int32Array;
  readonly #label: Uint8Array;
  readonly #part: Uint8Array;
  #writtenLabel = "";
  #writtenPart = "";

  constructor(shared: SharedArrayBuffer) {
    this.#numbers = new Int32Array(shared, 0, NUMBERS);
    this.#label = new Uint8Array(shared, NUMBERS * 4, MAX_TEXT_BYTES);
    this.#part = new Uint8Array(shared, NUMBERS * 4 + MAX_TEXT_BYTES, MAX_TEXT_BYTES);
  }

  beat(isDebugged: boolean): void {
    Atomics.store(this.#numbers, DEBUGGED, isDebugged ? 1 : 0);
    Atomics.add(this.#numbers, BEATS, 1);
  }

  get beats(): number {
    return Atomics.load(this.#numbers, BEATS);
  }

  get isDebugged(): boolean {
    return Atomics.load(this.#numbers, DEBUGGED) === 1;
  }

  /** Texts are written only where they differ from the last ones: the nodes of a run share their label. */
  begin(label: string, part: string): void {
    if (label !== this.#writtenLabel) {
      this.#numbers[LABEL_BYTES] = writeText(label, this.#label);
      this.#writtenLabel = label;
    }
    if (part !== this.#writtenPart) {
      this.#numbers[PART_BYTES] = writeText(part, this.#part);
      this.#writtenPart = part;
    }
    this.#numbers[BUSY] = 1;
  }

  end(): void {
    this.#numbers[BUSY] = 0;
  }

  /** What is under way right now, as far as it was said. */
  read(): Work | undefined {
    if (this.#numbers[BUSY] === 0) return undefined;
    return toWork(
      textOf(this.#label, this.#numbers[LABEL_BYTES]!),
      textOf(this.#part, this.#numbers[PART_BYTES]!),
    );
  }
}

const encoder = new TextEncoder();

const MAX_LOOP_LENGTH = 80;

/** Returns the bytes written. Most ids are short and plain: for those a loop is twice as fast as the encoder. */
function writeText(text: string, bytes: Uint8Array): number {
  if (text.length > MAX_LOOP_LENGTH) return encoder.encodeInto(text, bytes).written;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 127) return encoder.encodeInto(text, bytes).written;
    bytes[at] = code;
  }
  return text.length;
}

function textOf(bytes: Uint8Array, length: number): string {
  return Buffer.from(bytes.slice(0, length)).toString("utf8");
}

/** By hand: it is made for every request and every run. */
export function toLabel({
  kind,
  organizationId = "",
  runId = "",
  flowId = "",
  route = "",
  requestId = "",
}: Work): string {
  switch (kind) {
    case "run":
      return `run\n${organizationId}\n${flowId}\n${runId}`;
    case "flow":
      return `flow\n${organizationId}\n${flowId}`;
    case "route":
      return `route\n${route}\n${requestId}`;
  }
}

export function toWork(label: string, part: string): Work | undefined {
  const [kind, first, second, runId] = label.split("\n");
  if (kind === "route") return { kind, route: first, requestId: second };
  if (kind === "flow") return { kind, organizationId: first, flowId: second };
  if (kind !== "run") return undefined;
  return { kind, organizationId: first, flowId: second, runId, ...(part !== "" && { nodeKey: part }) };
}
