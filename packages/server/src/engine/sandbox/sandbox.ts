/** The only door to user code and to expressions whose cost is not known beforehand. */
export interface Sandbox {
  run(job: SandboxJob): Promise<SandboxResult>;
  /** Starts a child before the first call, so that it need not wait for that. */
  warm(): void;
  close(): Promise<void>;
}

export interface SandboxJob {
  readonly organizationId: string;
  /** An effect waits for it: it goes before what only computes, of the same organization. */
  readonly isUrgent?: boolean;
  /** `code`: a JavaScript function body over `input`, in QuickJS. `expression`: JSONata over `input`, in the child. `schema`: a JSON Schema that `input` has to fit, in the child; without an input it is only read. */
  readonly language: SandboxLanguage;
  readonly source: string;
  /** Must be JSON; it is copied as text, nothing is shared. */
  readonly input: unknown;
  /** What the job takes for now, in milliseconds since 1970; the clock where it is left out. */
  readonly nowMs?: number;
  /** Where its chance begins; anywhere where it is left out. */
  readonly seed?: string;
  readonly limits?: { readonly cpuMs?: number; readonly memoryMb?: number };
  readonly signal?: AbortSignal;
}

export type SandboxLanguage = "code" | "expression" | "schema";

export interface SandboxResult {
  /** Plain JSON, or `undefined` where nothing was returned. */
  readonly value: unknown;
  readonly logs: readonly string[];
}

export type SandboxErrorName =
  | `${Capitalize<SandboxLanguage>}${"Error" | "Timeout" | "Memory"}`
  /** The input does not fit the schema. */
  | "SchemaMismatch"
  /** The input is no JSON, or too large. */
  | "SandboxInput"
  /** The result is too large. */
  | "SandboxOutput"
  | "SandboxCanceled"
  /** The child process ended for a reason that is not the job's; the call may be tried again. */
  | "SandboxLost";

/** Its text is written for the author of the flow. */
export class SandboxError extends Error {
  override readonly name: SandboxErrorName;
  /** What the code had logged before it failed. */
  readonly logs: readonly string[];
  constructor(name: SandboxErrorName, message: string, logs: readonly string[] = []) {
    super(message);
    this.name = name;
    this.logs = logs;
  }
}

export function errorNameOf<Kind extends "Error" | "Timeout" | "Memory">(
  language: SandboxLanguage,
  kind: Kind,
): `${Capitalize<SandboxLanguage>}${Kind}` {
  const names = { code: "Code", expression: "Expression", schema: "Schema" } as const;
  return `${names[language]}${kind}`;
}
