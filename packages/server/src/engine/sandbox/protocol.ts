import type { SandboxErrorName, SandboxLanguage } from "./sandbox.ts";

/** What travels between the service and a sandbox child: text and numbers, never handles or functions. */
export interface ChildRequest {
  readonly language: SandboxLanguage;
  readonly source: string;
  /** JSON text; absent where the input is `undefined`. */
  readonly inputText?: string;
  readonly cpuMs: number;
  readonly memoryMb: number;
  /** What it takes for now. */
  readonly nowMs: number;
  /** Where its chance begins. */
  readonly seed: string;
}

export type ChildMessage = { readonly kind: "ready" } | ({ readonly kind: "reply" } & ChildReply);

export interface ChildReply {
  readonly outcome: ChildOutcome;
  readonly logs: readonly string[];
  readonly rssBytes: number;
}

export type ChildOutcome =
  | { readonly ok: true; readonly valueText?: string }
  | {
      readonly ok: false;
      readonly name: SandboxErrorName;
      readonly message: string;
      /** The failure reached the child's own JavaScript; the child is not trusted any more. */
      readonly hostFault?: boolean;
    };
