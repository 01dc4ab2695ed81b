/** Runs a flow for an agent and waits for its end; the run is one like any other in the list of runs. */
export type RunFlowTool = (call: FlowToolCall) => Promise<FlowToolResult>;

export interface FlowToolCaller {
  readonly organizationId: string;
  /** Of the message that is being answered. */
  readonly depth: number;
}

export interface FlowToolCall extends FlowToolCaller {
  readonly flowId: string;
  readonly data?: Record<string, unknown>;
  /** Becomes `trigger.body`. */
  readonly body?: unknown;
  readonly signal: AbortSignal;
}

export interface FlowToolResult {
  readonly status: string;
  readonly output?: unknown;
  readonly error?: { readonly name: string; readonly message: string };
}
