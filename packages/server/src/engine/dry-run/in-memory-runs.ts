import type { FlowDocument } from "@millrace/contract/documents/flow";
import type { DryRunAnswers, DryRunNode, DryRunResult } from "../../domain/dry-run.ts";
import { type CompiledFlow, compileFlow } from "../../domain/flow/compile.ts";
import type { InputOverrides } from "../../domain/flow/overrides.ts";
import type { FlowValidation } from "../../domain/flow/validate.ts";
import type { IdMaker } from "../../domain/ids.ts";
import type { NodeChange } from "../../domain/node-changes.ts";
import { MAX_DEPTH } from "../../domain/run.ts";
import type { StoredAnswer } from "../../storage/runs/load-checkpoints.ts";
import { runFlow } from "../flow-runner/run-flow.ts";
import type { NodeRecord, PendingSuspension, RunOutcome } from "../flow-runner/run-types.ts";
import type { NodeServices, ResolvedCredential, Suspension } from "../nodes/node-type.ts";
import { nodeTypes } from "../nodes/registry.ts";
import { restore } from "../restore.ts";
import { toTriggerEnvelope } from "../trigger-envelope.ts";

interface Parts {
  /** Every flow that a `run-flow` node may name. */
  readonly flows: readonly FlowDocument[];
  readonly validate: (flow: FlowDocument) => FlowValidation;
  readonly services: NodeServices;
  readonly ids: IdMaker;
  readonly answers: DryRunAnswers;
  readonly signal: AbortSignal;
  resolveCredential(organizationId: string, id: string): Promise<ResolvedCredential>;
  onNode(event: DryRunNode): void;
}

interface MemoryRun {
  readonly runId: string;
  readonly flow: FlowDocument;
  readonly compiled: CompiledFlow;
  readonly overrides?: InputOverrides;
  readonly trigger: Readonly<Record<string, unknown>> | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

type Answer = Readonly<Record<string, unknown>>;

/** Runs and the runs they start: each goes on from its records after a pause, as it would in the service. */
export class InMemoryRuns {
  readonly #parts: Parts;
  /** Runs that nobody waits for; the dry run is over when they are. */
  readonly #unattended: Promise<unknown>[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async run(run: MemoryRun): Promise<DryRunResult> {
    const result = await this.#runOne(run, 0);
    await Promise.all(this.#unattended);
    return result;
  }

  async #runOne(run: MemoryRun, depth: number): Promise<DryRunResult> {
    const startedAt = performance.now();
    const outcome = await this.#runToEnd(run, depth).catch((error: unknown) => {
      if (this.#parts.signal.aborted) return { kind: "aborted" as const };
      throw error;
    });
    const common = {
      type: "finished" as const,
      runId: run.runId,
      durationMs: Math.round(performance.now() - startedAt),
    };
    switch (outcome.kind) {
      case "completed":
        return { ...common, status: "COMPLETED", output: outcome.output };
      case "failed":
        return { ...common, status: "FAILED", error: outcome.error };
      case "aborted":
        return { ...common, status: "CANCELED" };
    }
  }

  async #runToEnd(run: MemoryRun, depth: number): Promise<Exclude<RunOutcome, { kind: "suspended" }>> {
    const { flow, compiled, overrides, trigger, data, runId } = run;
    const { services, signal, resolveCredential } = this.#parts;
    const { organizationId } = flow;
    const records: NodeRecord[] = [];
    const answers: StoredAnswer[] = [];
    const show = this.#showing(run, depth);
    for (;;) {
      const outcome = await runFlow({
        flow: compiled,
        nodeTypes,
        run: { id: runId, attempt: 1, flowId: flow.id, organizationId },
        trigger: toTriggerEnvelope(trigger),
        data,
        overrides,
        services,
        resolveCredential: (id) => resolveCredential(organizationId, id),
        checkpoints: {
          ...restore({ records, answers }),
          save: async (saved) => void records.push(...saved),
        },
        signal,
        onNode: show.event,
        onRecord: show.record,
      });
      if (outcome.kind !== "suspended") return outcome;
      records.push(...outcome.records);
      const given = await Promise.all(
        outcome.suspensions.map((pending) => this.#answer(run, pending, depth)),
      );
      answers.push(...given);
      for (const record of restore({ records: [], answers: given }).answered) show.record(record);
    }
  }

  async #answer(
    run: MemoryRun,
    { nodeKey, nodeId, suspension }: PendingSuspension,
    depth: number,
  ): Promise<StoredAnswer> {
    const createdAt = new Date();
    const answer = await this.#answerTo(run, nodeId, suspension, depth);
    return { nodeKey, nodeId, kind: suspension.kind, answer, createdAt, answeredAt: new Date() };
  }

  async #answerTo(run: MemoryRun, nodeId: string, suspension: Suspension, depth: number): Promise<Answer> {
    const { answers } = this.#parts;
    switch (suspension.kind) {
      case "wait":
        await answers.wait({ nodeId, untilMs: suspension.untilMs });
        return { waitedUntil: new Date(suspension.untilMs).toISOString() };
      case "approval":
        return { by: "dry-run", ...(await answers.approval({ nodeId, message: suspension.message })) };
      case "run-flow":
        return this.#runChild(run, suspension, depth + 1);
    }
  }

  async #runChild(
    parent: MemoryRun,
    { flowId, data, trigger, wait }: Suspension & { kind: "run-flow" },
    depth: number,
  ): Promise<Answer> {
    const { flows, validate, ids } = this.#parts;
    const { organizationId } = parent.flow;
    if (depth > MAX_DEPTH)
      return refused("SubflowDepth", `Flows call each other more than ${MAX_DEPTH} deep here.`);
    const flow = flows.find((one) => one.id === flowId && one.organizationId === organizationId);
    if (!flow)
      return refused("FlowNotFound", `There is no flow ${flowId} of this organization in the files.`);
    const [fault] = validate(flow).errors;
    if (fault !== undefined) return refused("FlowInvalid", `The flow ${flowId} cannot run: ${fault}`);
    const runId = ids.make("run");
    const compiled = compileFlow(flow.graph, nodeTypes);
    const [need] = compiled.needs;
    if (need) return refused("FlowInvalid", `The flow ${flowId} cannot run: it needs the input ${need.key}`);
    const running = this.#runOne({ runId, flow, compiled, data, trigger }, depth);
    if (wait) {
      const { type: _type, durationMs: _durationMs, ...ended } = await running;
      return ended;
    }
    // Its fault is told when all have ended, or not at all where the dry run has failed before.
    running.catch(() => {});
    this.#unattended.push(running);
    return { runId, status: "WAITING" };
  }

  /** A container that goes on after a pause begins once more; only its first beginning is told. */
  #showing({ flow }: MemoryRun, depth: number) {
    const begun = new Set<string>();
    const { onNode } = this.#parts;
    const common = { type: "node" as const, flowId: flow.id, depth };
    return {
      event: ({ nodeKey, nodeId, type, status }: NodeChange) => {
        if (status !== "PAUSED" && (status !== "EXECUTING" || begun.has(nodeKey))) return;
        begun.add(nodeKey);
        onNode({ ...common, nodeKey, nodeId, nodeType: type, status });
      },
      record: ({ nodeKey, nodeId, type, status, startedAt, endedAt, attempts, ...record }: NodeRecord) => {
        const { output, handle, error, log } = record;
        onNode({
          ...common,
          nodeKey,
          nodeId,
          nodeType: type,
          status,
          durationMs: endedAt - startedAt,
          attempts,
          ...(output !== undefined && { output }),
          ...(handle !== undefined && { handle }),
          ...(error !== undefined && { error }),
          ...(log.length > 0 && { log }),
        });
      },
    };
  }
}

function refused(name: string, message: string): Answer {
  return { error: { name, message } };
}
