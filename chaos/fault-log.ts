/** A fault and how long it may be felt. Limits of seconds hold outside of these windows. */
export interface FaultWindow {
  readonly kind: string;
  /** Names of process instances, or "database", "receiver", "all". */
  readonly targets: readonly string[];
  readonly beginMs: number;
  endMs?: number;
  /** Until when work of *other* processes may be held up: locks of a silent session live for at most ten seconds. */
  troubleMs?: number;
}

/**
 * A stopped process or a cable that was pulled may leave a transaction open with its locks; PostgreSQL ends it after
 * `idle_in_transaction_session_timeout`, ten seconds in this service.
 */
export const MAX_LOCK_MS = 10_000;
const SETTLE_MS = 3_000;

export class FaultLog {
  readonly windows: FaultWindow[] = [];
  readonly #progress: (text: string) => void;
  #noted = 0;

  constructor(progress: (text: string) => void) {
    this.#progress = progress;
  }

  begin(kind: string, targets: readonly string[], detail = ""): FaultWindow {
    const window: FaultWindow = { kind, targets, beginMs: Date.now() };
    this.windows.push(window);
    this.#progress(`${kind} ${targets.join(", ")}${detail && ` (${detail})`}`);
    return window;
  }

  /** Something that is broken and that nobody may feel: no limit waits for it. */
  note(kind: string, detail = ""): void {
    this.#noted += 1;
    this.#progress(`${kind}${detail && ` (${detail})`}`);
  }

  get count(): number {
    return this.windows.length + this.#noted;
  }

  /** `feltMs`: how long after its end others may still feel it. */
  end(window: FaultWindow, feltMs = SETTLE_MS): void {
    window.endMs = Date.now();
    window.troubleMs = window.endMs + feltMs;
  }

  /** Ends a fault of one process: after MAX_LOCK_MS the others were free of it, even if it went on. */
  endOfOne(window: FaultWindow): void {
    window.endMs = Date.now();
    window.troubleMs = Math.min(window.endMs, window.beginMs + MAX_LOCK_MS) + SETTLE_MS;
  }

  /** Whether the service as a whole may have been held up at some time between the two. */
  disturbed(fromMs: number, toMs: number): boolean {
    return this.windows.some(
      ({ beginMs, troubleMs }) => beginMs <= toMs && (troubleMs ?? Number.POSITIVE_INFINITY) >= fromMs,
    );
  }

  isOpen(kind: string, target: string): boolean {
    return this.windows.some(
      (window) => window.kind === kind && window.endMs === undefined && window.targets.includes(target),
    );
  }

  /** The windows that concerned one process, or the database that all need. */
  of(target: string): FaultWindow[] {
    return this.windows.filter(
      ({ targets }) => targets.includes(target) || targets.includes("all") || targets.includes("database"),
    );
  }

  /** Whether this process could not hear or act for some time between the two. */
  impaired(target: string, fromMs: number, toMs: number): boolean {
    return this.of(target).some(
      ({ beginMs, endMs }) => beginMs <= toMs && (endMs ?? Number.POSITIVE_INFINITY) + SETTLE_MS >= fromMs,
    );
  }
}
