/** The only door to user code and to expressions whose cost is not known beforehand. */
export interface Sandbox {
  run(job: SandboxJob): Promise<SandboxResult>;
  close(): Promise<void>;
}

export interface SandboxJob {
  readonly organizationId: string;
  /** `code`: a JavaScript function body over `input`, in QuickJS. `expression`: JSONata over `input`, in the child. */
  readonly language: "code" | "expression";
  readonly source: string;
  /** Must be JSON; it is copied as text, nothing is shared. */
  readonly input: unknown;
  readonly limits?: { readonly cpuMs?: number; readonly memoryMb?: number };
  readonly signal?: AbortSignal;
}

export interface SandboxResult {
  readonly value: unknown;
  readonly logs: readonly string[];
}
