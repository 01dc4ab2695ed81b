import { setTimeout as delay } from "node:timers/promises";
import type { CompiledNode } from "../../domain/flow/compile.ts";
import { wellFormed, wellFormedValue } from "../../domain/well-formed.ts";
import { eventLoop } from "../../lifecycle/event-loop.ts";
import type { MemoryPort } from "../../lifecycle/shared-memory.ts";
import type {
  EvaluationScope,
  NodeContext,
  NodeServices,
  ResolvedCredential,
  Suspension,
  TriggerEnvelope,
} from "../nodes/node-type.ts";
import { isInside } from "./limits.ts";
import type { KnownExecution } from "./memory.ts";
import { evaluateDeferred } from "./node-inputs.ts";
import type { RunState } from "./run-state.ts";
import type { InterruptedStatus, Variables, WaitAnswer } from "./run-types.ts";
import type { MemoryCount } from "./scope-memory.ts";
import { HALTED } from "./halted.ts";
import { waitFor } from "./wait-for.ts";

const maxLogLines = 100;
const maxLogLineLength = 1_024;
/** What a node waits for takes up to so long to end. */
const stopMs = 0.3;

/** Something that runs inside a node and has to stop with it. */
export interface Haltable {
  halt(status: InterruptedStatus | undefined): void;
}

export interface ExecutionPlace {
  readonly nodeKey: string;
  readonly variables: Variables;
  readonly memory: MemoryCount;
  /** What is now for its expressions: the moment of the last fact before it. */
  readonly nowMs: number;
  /** Its scope is inside a container that goes on after a failure. */
  readonly isFailureHandled: boolean;
  /** Where it joins any: the id of the node whose way led to it. */
  readonly joinedFrom: string | undefined;
}

/** One node, once: its inputs, its log, its attempts, and the way to stop it. */
export class NodeExecution implements NodeContext {
  readonly run: RunState;
  readonly node: CompiledNode;
  readonly nodeKey: string;
  readonly variables: Variables;
  /** Of its scope. */
  readonly memory: MemoryCount;
  readonly nowMs: number;
  readonly isFailureHandled: boolean;
  readonly joinedFrom: string | undefined;
  /** When it was entered first, in whatever epoch. */
  startedAt: number;
  /** Where it is known better than by when it was noticed. */
  endedAt: number | undefined;
  readonly lines: string[];
  /** Rounds, where it is a container. */
  readonly inside: Set<Haltable> | undefined;
  credential?: ResolvedCredential;
  attempts: number;
  /** The next attempt gets the same. */
  input: Record<string, unknown> | undefined;
  /** Nobody but the run notices what it does. */
  isLookUp = false;
  /** Its end is in the records. */
  isRecorded = false;
  #seeds = 0;
  #controller: AbortController | undefined;
  #pause: AbortController | undefined;
  #isAttemptOver = false;
  isHalted = false;
  /** Of a node that starts another run: it has happened when the node was reached, so it is not stopped before. */
  readonly begun: PromiseWithResolvers<void> | undefined;
  #hasBegun = false;
  /** It is given up as soon as it has. */
  isHaltDue = false;
  /** What the attempt starts was started by an earlier epoch. */
  #isUnderWay = false;

  /** `earlier`: what is known of it from before a pause, or from a worker that was lost. */
  constructor(run: RunState, node: CompiledNode, place: ExecutionPlace, earlier?: KnownExecution) {
    this.run = run;
    this.node = node;
    this.nodeKey = place.nodeKey;
    this.variables = place.variables;
    this.memory = place.memory;
    this.nowMs = place.nowMs;
    this.isFailureHandled = place.isFailureHandled;
    this.joinedFrom = place.joinedFrom;
    if (node.children !== undefined) this.inside = new Set();
    if (node.type === "run-flow") this.begun = Promise.withResolvers();
    this.startedAt = earlier?.startedAt ?? run.moment();
    this.lines = earlier === undefined ? [] : [...earlier.log];
    // A loop that goes on is still in its first attempt.
    this.attempts = (earlier?.error && earlier.attempts) ?? 0;
    this.input = earlier?.input;
    if (this.attempts > 0) this.markBegun();
  }

  get organizationId(): string {
    return this.run.options.run.organizationId;
  }
  get flowId(): string {
    return this.run.options.run.flowId;
  }
  get runId(): string {
    return this.run.options.run.id;
  }
  get attempt(): number {
    return this.run.options.run.attempt;
  }
  get depth(): number {
    return this.run.options.run.depth ?? 0;
  }
  get nodeId(): string {
    return this.node.id;
  }
  get trigger(): TriggerEnvelope {
    return this.run.options.trigger;
  }
  get services(): NodeServices {
    return this.run.options.services;
  }
  get answers(): MemoryPort | undefined {
    return this.run.options.memory;
  }
  get isUrgent(): boolean {
    return this.node.urgency < 2;
  }
  get traceparent(): string | undefined {
    return this.run.options.traceparent?.(this.nodeKey);
  }
  get overrides(): ReadonlyMap<string, unknown> | undefined {
    return this.run.options.overrides?.get(this.node.id);
  }

  /** Made when it is asked for: most nodes end at once and never ask. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.isStopped) this.#controller.abort(HALTED);
    return this.#controller.signal;
  }

  log(line: string): void {
    if (this.lines.length < maxLogLines) this.lines.push(wellFormed(line.slice(0, maxLogLineLength)));
  }

  /** The value that was just measured, well-formed. */
  mend<Value>(value: Value, what: "input" | "output", name?: string): Value {
    if (!this.run.values.isBroken) return value;
    const place = name === undefined ? what : `${what} "${name}"`;
    for (const fault of this.run.values.takeFaults()) this.log(`The ${place} ${fault}`);
    return wellFormedValue(value);
  }

  /** Where chance begins for the next evaluation: the same in every attempt, and after a lost worker. */
  nextSeed(): string {
    this.#seeds += 1;
    return `${this.runId} ${this.nodeKey} ${this.#seeds}`;
  }

  /** The run has ended, or the attempt under way. */
  get isStopped(): boolean {
    return this.isHalted || this.#isAttemptOver;
  }

  beginAttempt(): void {
    this.attempts += 1;
    this.#seeds = 0;
    this.#isAttemptOver = false;
    this.#controller = undefined;
    this.endedAt = undefined;
    this.#isUnderWay =
      this.begun !== undefined && this.run.options.waits.has?.(this.nodeKey, this.attempts) === true;
  }

  /** What exists already can be given up at once. @throws where it is: it must not be started a second time. */
  findUnderWay(): void {
    if (!this.#isUnderWay) return;
    this.markBegun();
    this.check(this.attempts);
  }

  /** A Promise of the next turn where others have to have theirs; it rejects where the attempt has ended meanwhile. */
  giveWay(aheadMs?: number): Promise<void> | undefined {
    const attempt = this.attempts;
    return eventLoop.giveWay(this.organizationId, aheadMs)?.then(() => this.check(attempt));
  }

  /** @throws where the attempt is over: nothing of it may begin any more. */
  check(attempt: number): void {
    if (this.isStopped || this.attempts !== attempt) throw HALTED;
  }

  waitFor(suspension: Suspension, notify?: () => Promise<unknown>): Promise<WaitAnswer["answer"]> {
    return waitFor(this, suspension, notify);
  }

  get resumeUrl(): string | undefined {
    return this.run.options.resumeUrl?.(this.nodeKey);
  }

  /** Between two attempts. It rejects where the run ends meanwhile. */
  async pause(ms: number): Promise<void> {
    this.#pause = new AbortController();
    if (this.isHalted) this.#pause.abort(HALTED);
    const { signal } = this.#pause;
    const { time } = this.run.options;
    if (time === undefined) await this.run.rest(delay(ms, undefined, { signal }));
    else await this.run.activity.pausing(time.sleepUntil(this.services.now() + ms, signal));
  }

  /** Ends the attempt under way by its time limit; the next one gets a signal of its own. */
  haltAttempt(): void {
    this.#isAttemptOver = true;
    this.#controller?.abort(HALTED);
    for (const part of this.inside ?? []) part.halt("TIMED_OUT");
    this.leaveRounds();
  }

  /** Of a container that goes no further: also what an earlier epoch has begun and this one has not come to. */
  leaveRounds(): void {
    if (this.node.children !== undefined) this.run.withdraw(isInside(this.node, this.nodeKey), "left");
  }

  /** What it starts exists, or cannot be started. */
  markBegun(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.begun?.resolve();
    if (this.isHaltDue) this.halt(undefined);
  }

  halt(status: InterruptedStatus | undefined): void {
    if (this.begun !== undefined && !this.#hasBegun) {
      if (!this.isHaltDue) this.run.givenUp.holdUntilStarted(this.begun.promise);
      this.isHaltDue = true;
      return;
    }
    this.isHalted = true;
    if (this.#controller !== undefined || this.#pause !== undefined) this.stopInTurn(() => this.#stop());
    for (const part of this.inside ?? []) part.halt(status);
  }

  /** Thousands of nodes may be stopped at the same moment, because their run ends or their time is up. */
  stopInTurn(stop: () => void): void {
    eventLoop.inTurn(this.organizationId, stopMs, () => this.run.turn(this.nodeKey, stop));
  }

  /** Whatever it waits for. */
  #stop(): void {
    this.#controller?.abort(HALTED);
    this.#pause?.abort(HALTED);
  }

  /** Stops it together with its scope, and leaves a record of that. */
  interrupt(status: InterruptedStatus | undefined): void {
    this.halt(status);
    const tell = () => {
      if (status !== undefined && !this.isRecorded) this.run.add(this.run.endRecord(this, { status }));
    };
    // What has to begin first has its input only then.
    if (this.isHalted) tell();
    else void this.begun?.promise.then(tell);
  }

  evaluate(inputName: string, { item, index, input }: EvaluationScope): unknown {
    const root = input === undefined ? { ...this.variables, item, index } : input;
    return evaluateDeferred(this, inputName, root, this.nowMs);
  }
}
