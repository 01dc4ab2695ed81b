import type { RunChange } from "@millrace/contract/manage/run-stream";
import type { RunFeed, RunState } from "../domain/run-feed.ts";
import { type EventStream, eventText } from "./sse.ts";

/** Tells whoever cannot be told what it missed to read its lists again. */
const RESET = { before: "", last: "event: reset\ndata: {}\n\n" };

/** What one reader of an organization's runs is sent. A slow one gets each run once, as it is when there is room for it. */
export class OrganizationStream {
  readonly #stream: EventStream;
  readonly #feed: RunFeed;
  #at: number;
  #isSending = false;

  /** `lastSeen` is the id of the last event that a reader has seen who comes back. */
  constructor(stream: EventStream, feed: RunFeed, lastSeen: string | undefined) {
    this.#stream = stream;
    this.#feed = feed;
    this.#at = lastSeen === undefined ? feed.latest : numberIn(lastSeen, feed);
    // A reader that comes back has an id already, and keeps it until there is news.
    stream.send(`retry: 1000\n${lastSeen === undefined ? this.#id : ""}\n`);
    this.onNews();
  }

  readonly onNews = (): void => {
    if (!this.#isSending && this.#at !== this.#feed.latest) void this.#send();
  };

  async #send(): Promise<void> {
    this.#isSending = true;
    while (this.#at !== this.#feed.latest) {
      await this.#stream.room();
      const runs = this.#feed.after(this.#at);
      this.#at = this.#feed.latest;
      const { before, last } = runs === undefined ? RESET : textsOf(runs);
      // The id comes with the last of them: whoever is cut off before has seen less.
      if (!this.#stream.send(before + this.#id + last)) break;
    }
    this.#isSending = false;
  }

  get #id(): string {
    return `id: ${this.#feed.name}.${this.#at}\n`;
  }
}

/** NaN is no number of any feed. */
function numberIn(id: string, { name }: RunFeed): number {
  return id.startsWith(`${name}.`) ? Number(id.slice(name.length + 1)) : Number.NaN;
}

interface Texts {
  readonly before: string;
  readonly last: string;
}

const written = new WeakMap<readonly RunState[], Texts>();

/** Written once for all readers who are told the same. */
function textsOf(runs: readonly RunState[]): Texts {
  const known = written.get(runs);
  if (known) return known;
  const texts = runs.map((run) => eventText(toChange(run)));
  const last = texts.pop() ?? "";
  const made = { before: texts.join(""), last };
  written.set(runs, made);
  return made;
}

function toChange({ id, flowId, status, updatedAt }: RunState): RunChange {
  return { runId: id, flowId, status: status as RunChange["status"], updatedAt: updatedAt.toISOString() };
}
