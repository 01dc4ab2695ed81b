import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { INTERRUPTED, type ReplyFailureCode, type SessionRef } from "../../domain/agent/chat.ts";
import { FairShare } from "../../domain/fair-share.ts";
import type { IdMaker } from "../../domain/ids.ts";
import { WholeCharacters } from "../../domain/agent/whole-characters.ts";
import { wellFormedValue } from "../../domain/well-formed.ts";
import { type ClaimedTurn, claimTurn, findIdleSessions } from "../../storage/agent-chat/claim-turn.ts";
import { endTurn } from "../../storage/agent-chat/end-turn.ts";
import { endLostTurn, renewLeases } from "../../storage/agent-chat/keep-turns.ts";
import { isDatabaseUnavailable } from "../../storage/pool.ts";
import { retryWrite } from "../../storage/retry.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { ReplyFailure, type ReplyResult } from "../../upstream/reply-generator.ts";
import { EventWriter, type LiveTurn } from "./event-writer.ts";
import { prepareReply, type ReplyContext } from "./prepare-reply.ts";
import { SessionFeeds } from "./session-feeds.ts";

export interface TurnRunnerOptions extends ReplyContext {
  readonly ids: IdMaker;
  readonly now: () => Date;
  readonly logger: Logger;
  readonly onReply?: (outcome: "completed" | "failed") => void;
}

interface RunningTurn extends LiveTurn, ClaimedTurn {
  readonly controller: AbortController;
  readonly characters: WholeCharacters;
  text: string;
  firstOutputAt: Date | undefined;
}

const PREPARE_RETRY_FOR_MS = 5_000;
const END_RETRY_FOR_MS = 6_000;
const MAX_PER_SWEEP = 100;

/** Writes the replies of this process: from the claim of a turn to its end, then the next one of the session. */
export class TurnRunner {
  readonly processId = randomUUID();
  readonly feeds: SessionFeeds;
  readonly #options: TurnRunnerOptions;
  readonly #writer: EventWriter;
  readonly #running = new Map<string, RunningTurn>();
  readonly #places: FairShare;
  readonly #work = new Set<Promise<void>>();
  #stopping = false;

  constructor(options: TurnRunnerOptions) {
    this.#options = options;
    this.#places = new FairShare(options.settings.maxRunning);
    this.feeds = new SessionFeeds({
      db: options.db,
      maxFollowers: options.settings.maxFollowers,
      runsHere: (sessionId) => this.#running.has(sessionId),
    });
    this.#writer = new EventWriter({
      db: options.db,
      gatherMs: options.settings.gatherMs,
      publish: (session, event) => this.feeds.publish(session, event),
    });
  }

  /** Replies that are being written here. */
  get size(): number {
    return this.#running.size;
  }

  /** A place for a reply of this organization, to be begun with or given back; false where it has its share here. */
  takePlace(organizationId: string): boolean {
    return !this.#stopping && this.#places.take(organizationId);
  }

  giveBackPlace(organizationId: string): void {
    this.#places.giveBack(organizationId);
  }

  /** Its place was taken before. */
  begin(claimed: ClaimedTurn): void {
    const controller = new AbortController();
    const turn: RunningTurn = {
      ...claimed,
      seq: claimed.firstSeq,
      pending: [],
      begun: false,
      lost: false,
      controller,
      characters: new WholeCharacters(),
      text: "",
      firstOutputAt: undefined,
      onLost: () => controller.abort(new ReplyFailure(INTERRUPTED)),
    };
    this.#running.set(turn.sessionId, turn);
    const work = this.#run(turn).finally(() => this.#work.delete(work));
    this.#work.add(work);
  }

  /** Keeps what is ours, ends what others have lost, and begins what nobody answers. */
  async sweep(): Promise<void> {
    await this.#renew();
    for (let count = 0; count < MAX_PER_SWEEP; count += 1) {
      const lost = await endLostTurn(this.#options.db, this.#options.ids.make("evt"));
      if (!lost) break;
      this.#options.logger.warn({ ...lost, code: INTERRUPTED }, "a reply was lost with its process");
      await this.#claimNext(lost);
    }
    if (this.#stopping) return;
    for (const session of await findIdleSessions(this.#options.db, MAX_PER_SWEEP, this.#places.rooms()))
      await this.#claimNext(session);
  }

  /** Lets the replies end by themselves for a while, then ends them with an honest error. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const timer = setTimeout(() => {
      for (const { controller } of this.#running.values()) controller.abort(new ReplyFailure(INTERRUPTED));
    }, this.#options.settings.stopMs);
    while (this.#work.size > 0) await Promise.all(this.#work);
    clearTimeout(timer);
    this.feeds.close();
    // Those who read are given the last event before anybody closes their streams.
    await setImmediate();
  }

  async #renew(): Promise<void> {
    const held = [...this.#running.values()];
    if (held.length === 0) return;
    const { db, settings } = this.#options;
    const kept = await renewLeases(db, this.processId, settings.leaseMs, held);
    const ours = new Set(kept.map(({ sessionId, number }) => `${sessionId}/${number}`));
    for (const turn of held) {
      if (ours.has(`${turn.sessionId}/${turn.number}`)) continue;
      turn.lost = true;
      turn.onLost();
    }
  }

  async #claimNext(session: SessionRef): Promise<void> {
    const { organizationId } = session;
    if (!this.takePlace(organizationId)) return;
    const { db, settings } = this.#options;
    let claimed: ClaimedTurn | undefined;
    try {
      claimed = await claimTurn(db, session, this.processId, settings.leaseMs);
    } finally {
      if (!claimed) this.giveBackPlace(organizationId);
    }
    if (claimed) this.begin(claimed);
  }

  async #run(turn: RunningTurn): Promise<void> {
    const reply = await this.#reply(turn);
    const rest = turn.characters.end();
    if (rest !== "") this.#say(turn, rest);
    try {
      await this.#end(turn, reply);
    } catch (error) {
      // The lease runs out, and whoever notices ends the turn.
      this.#options.logger.error(
        { err: error, sessionId: turn.sessionId },
        "the end of a reply could not be stored",
      );
    }
    this.#running.delete(turn.sessionId);
    this.giveBackPlace(turn.organizationId);
    try {
      await this.#claimNext(turn);
    } catch (error) {
      this.#options.logger.warn(
        { err: error, sessionId: turn.sessionId },
        "the next message waits for the next sweep",
      );
    }
  }

  async #reply(turn: RunningTurn): Promise<Partial<ReplyResult>> {
    const { logger } = this.#options;
    const { signal } = turn.controller;
    try {
      const { agentId, write } = await retryWrite(() => prepareReply(this.#options, turn, signal), {
        forMs: PREPARE_RETRY_FOR_MS,
      });
      const reply = await write({
        onText: (text) => {
          const whole = turn.characters.push(text);
          if (whole !== "") this.#say(turn, whole);
        },
        onTool: (event) => this.#writer.addTool(turn, wellFormedValue(event)),
      });
      if (reply.failure) {
        const { organizationId, sessionId } = turn;
        logger.warn({ organizationId, agentId, sessionId, code: reply.failure }, "a reply failed");
      }
      return reply;
    } catch (error) {
      const failure = failureOf(error);
      const { organizationId, sessionId } = turn;
      // Its name alone: texts of libraries hold addresses, prompts and answers.
      logger.error(
        { organizationId, sessionId, code: (error as Error).name },
        "a reply could not be prepared",
      );
      return { failure };
    }
  }

  #say(turn: RunningTurn, text: string): void {
    turn.firstOutputAt ??= this.#options.now();
    turn.text += text;
    this.#writer.add(turn, text);
  }

  async #end(turn: RunningTurn, { messages = [], usage, failure }: Partial<ReplyResult>): Promise<void> {
    const rest = await this.#writer.takeRest(turn);
    if (turn.lost) return;
    const { db, ids } = this.#options;
    const end = {
      turn,
      processId: this.processId,
      seq: turn.seq,
      rest,
      replyText: turn.text,
      // Names and arguments of tools, and why the model stopped, are texts of others.
      modelMessages: wellFormedValue(messages),
      usage: wellFormedValue(usage),
      errorCode: failure,
      firstOutputAt: turn.firstOutputAt,
      eventId: ids.make("evt"),
    };
    const mine = await retryWrite(() => endTurn(db, end), { forMs: END_RETRY_FOR_MS });
    if (!mine) return;
    this.#options.onReply?.(failure === undefined ? "completed" : "failed");
    const { number } = turn;
    let { seq } = turn;
    if (rest !== "") this.feeds.publish(turn, { seq: ++seq, turn: number, type: "text-delta", text: rest });
    seq += 1;
    this.feeds.publish(
      turn,
      failure
        ? { seq, turn: number, type: "error", code: failure }
        : { seq, turn: number, type: "done", text: turn.text },
    );
  }
}

function failureOf(error: unknown): ReplyFailureCode {
  if (error instanceof ReplyFailure) return error.code;
  return isDatabaseUnavailable(error) ? INTERRUPTED : "upstream_failed";
}
