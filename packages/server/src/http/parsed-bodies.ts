import type { ServerResponse } from "node:http";
import { AnswerRoom } from "./answer-room.ts";

/** What a list in a list in a list takes, each with two letters in the text. */
const bytesPerValue = 56;
const slightBytes = 65_536;
const maxBytes = 32 * 1_048_576;

/** Whether so many values of one body are worth counting. */
export function areManyValues(values: number): boolean {
  return values * bytesPerValue > slightBytes;
}

/**
 * Of small values a body becomes thirty times as long when it is parsed. Only so much of that is there at once: whoever brings
 * more waits, as a text, until the bodies before it are answered, and callers share the room.
 */
export class ParsedBodies {
  readonly #room = new AnswerRoom({ maxBytes });

  /** Until there is room for so many values, which they have until the answer has ended. @throws Refusal where that takes too long */
  enter(caller: string, values: number, answer: ServerResponse): Promise<void> {
    return this.#room.enter(caller, values * bytesPerValue, answer);
  }
}
