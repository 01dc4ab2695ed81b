import type { FlowDocument } from "@millrace/contract/documents/flow";
import type { DryRunAnswers, DryRunNode, DryRunResult } from "../../domain/dry-run.ts";
import { type CompiledFlow, compileFlow } from "../../domain/flow/compile.ts";
import type { InputOverrides } from "../../domain/flow/overrides.ts";
import type { FlowValidation } from "../../domain/flow/validate.ts";
import type { IdMaker } from "../../domain/ids.ts";
import type { NodeChange } from "../../domain/node-changes.ts";
import { checkChild, refusedInput } from "../check-child.ts";
import { runFlow } from "../flow-runner/run-flow.ts";
import type { NodeRecord, RunOutcome } from "../flow-runner/run-types.ts";
import type { NodeServices, ResolvedCredential, Suspension } from "../nodes/node-type.ts";
import { nodeTypes } from "../nodes/registry.ts";
import { toTriggerEnvelope } from "../trigger-envelope.ts";
import { bodyIssues } from "./body-issues.ts";
import { MemoryWaits, type StartedChild } from "./memory-waits.ts";

interface Parts {
  /** Every flow that a `run-flow` node may name. */
  readonly flows: readonly FlowDocument[];
  /** By organization. */
  readonly variables: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
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

/** Runs and the runs they start: all of them live as long as the dry run. */
export class InMemoryRuns {
  readonly #parts: Parts;
  /** Runs that nobody waits for; the dry run is over when they are. */
  readonly #unattended: Promise<unknown>[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async run(run: MemoryRun): Promise<DryRunResult> {
    const result = await this.#runOne(run, 0, this.#parts.signal);
    // More may be left behind while these end.
    for (let left = this.#unattended.shift(); left !== undefined; left = this.#unattended.shift()) await left;
    return result;
  }

  async #runOne(run: MemoryRun, depth: number, signal: AbortSignal): Promise<DryRunResult> {
    const startedAt = performance.now();
    const outcome = await this.#runToEnd(run, depth, signal).catch((error: unknown) => {
      if (signal.aborted) return { kind: "aborted" as const };
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
      case "suspended":
      case "aborted":
        return { ...common, status: "CANCELED" };
    }
  }

  async #runToEnd(run: MemoryRun, depth: number, signal: AbortSignal): Promise<RunOutcome> {
    const { flow, compiled, overrides, trigger, data, runId } = run;
    const { services, answers, resolveCredential, variables } = this.#parts;
    const { organizationId } = flow;
    const show = this.#showing(run, depth);
    const failing = Promise.withResolvers<never>();
    const waits = new MemoryWaits({
      answers: failingWith(answers, failing.reject),
      signal,
      now: () => services.now(),
      startChild: (suspension) => this.#startChild(run, suspension, { depth: depth + 1, signal }),
      onNode: show.event,
    });
    const ended = runFlow({
      flow: compiled,
      nodeTypes,
      run: { id: runId, attempt: 1, flowId: flow.id, organizationId },
      trigger: toTriggerEnvelope(trigger),
      data,
      vars: compiled.readsVariables ? (variables.get(organizationId) ?? {}) : undefined,
      overrides,
      services,
      startedAtMs: services.now(),
      resolveCredential: (id) => resolveCredential(organizationId, id),
      // Nobody answers at it; whoever is told sees what it would look like.
      resumeUrl: (nodeKey) => `http://localhost/app/resume/${runId}/${encodeURIComponent(nodeKey)}`,
      checkpoints: { restored: new Map(), save: async () => {} },
      waits,
      signal,
      interruption: () => "CANCELED",
      onNode: show.event,
      onRecord: show.record,
    });
    try {
      return await Promise.race([ended, failing.promise]);
    } finally {
      waits.close();
    }
  }

  #startChild(
    parent: MemoryRun,
    { flowId, data, trigger, wait, onParentEnd }: Suspension & { kind: "run-flow" },
    { depth, signal }: { depth: number; signal: AbortSignal },
  ): StartedChild {
    const wanted = { flowId, depth, where: "of this organization in the files" };
    const checked = checkChild(wanted, this.#find(flowId, parent.flow.organizationId));
    if (checked.error) return { answer: Promise.resolve(checked), abandon: () => {} };
    const { flow, compiled } = checked.found;
    const [issue] = bodyIssues(flow, compiled, trigger?.["body"]);
    if (issue !== undefined)
      return { answer: Promise.resolve(refusedInput(flowId, issue)), abandon: () => {} };
    const runId = this.#parts.ids.make("run");
    const canceling = new AbortController();
    const endsWithParent = wait && onParentEnd === "cancel";
    const end = AbortSignal.any([endsWithParent ? signal : this.#parts.signal, canceling.signal]);
    const running = this.#runOne({ runId, flow, compiled, data, trigger }, depth, end);
    // Its fault is told when all have ended, or not at all where the dry run has failed before.
    running.catch(() => {});
    if (!wait) {
      this.#unattended.push(running);
      return { answer: Promise.resolve({ runId, status: "WAITING" }), abandon: () => {} };
    }
    return {
      answer: running.then(({ type: _type, durationMs: _durationMs, ...ended }) => ended),
      abandon: (how) => {
        if (how === "cancel") canceling.abort();
        this.#unattended.push(running);
      },
    };
  }

  #find(flowId: string, organizationId: string) {
    const flow = this.#parts.flows.find((one) => one.id === flowId && one.organizationId === organizationId);
    if (!flow) return undefined;
    const validation = this.#parts.validate(flow);
    const isValid = validation.errors.length === 0;
    return { flow, validation, compiled: isValid ? compileFlow(flow.graph, nodeTypes) : undefined };
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

/** Where somebody cannot be asked, the dry run ends; it is no fault of the node. */
function failingWith(answers: DryRunAnswers, fail: (error: unknown) => void): DryRunAnswers {
  const orFail = <Result>(asked: Promise<Result>) =>
    asked.catch((error: unknown): Promise<Result> => {
      fail(error);
      return new Promise(() => {});
    });
  return {
    wait: (pause) => orFail(answers.wait(pause)),
    approval: (pause) => orFail(answers.approval(pause)),
  };
}
