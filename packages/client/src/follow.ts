import { ConnectionError, isMillraceError, type MillraceError } from "./error.ts";
import type { StreamMessage } from "./event-stream.ts";
import { mayRepeat, pause, pauseMs, type Repeat } from "./retry.ts";

interface Source<Event> {
  open(lastEventId: string | undefined): AsyncGenerator<StreamMessage>;
  /** What is told of a message: nothing of one that was told before. */
  take(message: StreamMessage): { readonly event: Event; readonly isLast: boolean } | undefined;
  readonly lastEventId?: string | undefined;
  /** Of the opening, as long as nothing was heard. */
  readonly repeat: Repeat;
  /** Nothing to stream is an end. */
  readonly mayBeEmpty?: boolean;
  readonly maxReopenings: number;
  readonly signal: AbortSignal | undefined;
}

/** Every event up to the last one, each once, over as many connections as it takes. */
export async function* follow<Event>(source: Source<Event>): AsyncGenerator<Event> {
  let { lastEventId } = source;
  let hasHeard = lastEventId !== undefined;
  let reopened = 0;
  for (;;) {
    let fault: MillraceError | undefined;
    let isEmpty = true;
    try {
      for await (const message of source.open(lastEventId)) {
        isEmpty = false;
        if (message.id !== undefined) {
          lastEventId = message.id;
          hasHeard = true;
        }
        const taken = source.take(message);
        if (!taken) continue;
        // Only what could not be repeated shows that it goes on.
        if (message.isNumbered) reopened = 0;
        yield taken.event;
        if (taken.isLast) return;
      }
      if (isEmpty && source.mayBeEmpty) return;
    } catch (error) {
      if (!isMillraceError(error)) throw error;
      fault = error;
    }
    const repeat = hasHeard ? "always" : source.repeat;
    const mayGoOn = fault ? mayRepeat(fault, repeat) : repeat === "always";
    if (!mayGoOn || reopened >= source.maxReopenings)
      throw fault ?? new ConnectionError("connection_failed", "The stream ended before its last event");
    await pause(pauseMs(reopened, fault), source.signal);
    reopened += 1;
  }
}
