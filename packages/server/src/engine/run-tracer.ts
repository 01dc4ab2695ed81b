import type { CompiledFlow } from "../domain/flow/compile.ts";
import type { NodeChange } from "../domain/node-changes.ts";
import type { ClaimedRun } from "../domain/run.ts";
import { nodeSpanId, type RunTrace, toTraceparent, traceOfRun } from "../domain/trace-context.ts";
import type { Span } from "../telemetry/traces/span.ts";

export interface RunTracerOptions {
  /** Of the traces that begin here. */
  readonly ratio: number;
  readonly nowMs: () => number;
  add(span: Span): void;
}

/** Tells a collector what runs and their nodes did: one trace a run, whoever has it when. Values are never part of it. */
export class RunTracer {
  readonly #options: RunTracerOptions;

  constructor(options: RunTracerOptions) {
    this.#options = options;
  }

  /** Undefined where nobody wants this trace. */
  begin(run: ClaimedRun): TracedRun | undefined {
    const trace = this.#traceOf(run);
    return trace.isSampled ? new TracedRun(run, trace, this.#options) : undefined;
  }

  /** For log lines. */
  idsOf(run: ClaimedRun): { traceId: string; spanId: string } {
    const { traceId, spanId } = this.#traceOf(run);
    return { traceId, spanId };
  }

  #traceOf({ id, trigger }: ClaimedRun): RunTrace {
    const headers = trigger?.["headers"] as Readonly<Record<string, unknown>> | undefined;
    return traceOfRun(id, headers?.["traceparent"], this.#options.ratio);
  }
}

/** One run, for as long as this process has it. */
export class TracedRun {
  readonly #run: ClaimedRun;
  readonly #trace: RunTrace;
  readonly #options: RunTracerOptions;
  readonly #beganAtMs: number;

  constructor(run: ClaimedRun, trace: RunTrace, options: RunTracerOptions) {
    this.#run = run;
    this.#trace = trace;
    this.#options = options;
    this.#beganAtMs = options.nowMs();
  }

  /** What a node sends along, so that whoever it calls is part of the trace. */
  traceparent(nodeKey: string): string {
    return toTraceparent({ ...this.#trace, spanId: this.#spanIdOf(nodeKey) });
  }

  node({ nodeKey, nodeId, type, status, startedAt, endedAt }: NodeChange, flow: CompiledFlow): void {
    if (endedAt === undefined) return;
    const container = containerKeyOf(nodeKey, nodeId, flow);
    this.#options.add({
      traceId: this.#trace.traceId,
      spanId: this.#spanIdOf(nodeKey),
      parentSpanId: container === undefined ? this.#trace.spanId : this.#spanIdOf(container),
      name: `${type} ${nodeId}`,
      kind: "internal",
      startedAt,
      endedAt,
      attributes: {
        "millrace.run.id": this.#run.id,
        "millrace.node.key": nodeKey,
        "millrace.node.type": type,
        "millrace.node.status": status,
      },
      hasFailed: status !== "COMPLETED",
    });
  }

  /** Nothing follows. `startedAtMs`: where another process, or an earlier turn of this one, began. */
  end(status: string, startedAtMs: number | undefined): void {
    const { id, flowId, version, organizationId, attempt } = this.#run;
    this.#options.add({
      traceId: this.#trace.traceId,
      spanId: this.#trace.spanId,
      parentSpanId: this.#trace.parentSpanId,
      name: `run ${flowId}`,
      kind: "server",
      startedAt: startedAtMs ?? this.#beganAtMs,
      endedAt: this.#options.nowMs(),
      attributes: {
        "millrace.run.id": id,
        "millrace.run.status": status,
        "millrace.run.attempt": attempt,
        "millrace.flow.id": flowId,
        "millrace.flow.version": version,
        "millrace.organization.id": organizationId,
      },
      hasFailed: status !== "COMPLETED",
    });
  }

  #spanIdOf(nodeKey: string): string {
    return nodeSpanId(this.#run.id, this.#run.attempt, nodeKey);
  }
}

const containers = new WeakMap<CompiledFlow, ReadonlyMap<string, string>>();

/** The key of an inner container stands before those of its nodes; that of one of the flow itself is its id. */
function containerKeyOf(nodeKey: string, nodeId: string, flow: CompiledFlow): string | undefined {
  const dot = nodeKey.lastIndexOf(".");
  if (dot >= 0) return nodeKey.slice(0, dot);
  if (!nodeKey.endsWith("]")) return undefined;
  let byNode = containers.get(flow);
  if (!byNode) {
    const pairs = [...flow.nodes.values()].flatMap(({ id, children }) =>
      (children?.nodes ?? []).map((child): [string, string] => [child.id, id]),
    );
    containers.set(flow, (byNode = new Map(pairs)));
  }
  return byNode.get(nodeId);
}
