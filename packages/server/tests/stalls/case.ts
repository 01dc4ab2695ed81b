import type { Parts } from "./bytes.ts";
import type { Recipe } from "./recipes.ts";

export const kinds = [
  "expressions",
  "flows",
  "payloads",
  "documents",
  "forms",
  "headers",
  "http",
  "postgres",
  "smtp",
  "mcp",
  "model",
  "promises",
] as const;
export type Kind = (typeof kinds)[number];

/** A run of a flow of its own, from its trigger to its end. */
export interface FlowDeed {
  readonly action: "flow";
  readonly graph: Recipe;
  /** JSON Schema of what a trigger brings. */
  readonly input?: Recipe;
  /** What the trigger sends beside the flow's id. */
  readonly payload?: { readonly [key: string]: Recipe };
  /** Triggered so many times at once; 1 unless stated. */
  readonly runs?: number;
  /** So many such flows, all at once; 1 unless stated. */
  readonly copies?: number;
  /** Its run is looked at from all sides once it has ended. */
  readonly looked?: boolean;
}

/** One request, down to its bytes. */
export interface RequestDeed {
  readonly action: "request";
  readonly method: string;
  /** `{webhook}`, `{resume}`, `{guess}`, `{sessions}`, `{run}` stand for paths of the workspace. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: Parts])[];
  readonly body?: Parts;
  /** Without a length, in pieces of so many bytes. */
  readonly chunkBytes?: number;
}

export const protocols = ["http", "postgres", "smtp", "mcp", "model", "chat", "events"] as const;
export type Protocol = (typeof protocols)[number];

/** What a foreign server says. */
export interface Script {
  /** Said to whoever connects. */
  readonly greeting?: Parts;
  /** One for each time that something arrives; `$ID` becomes the JSON-RPC id that was just read. */
  readonly replies: readonly Parts[];
  /** Sent in pieces of so many bytes; whole unless stated. */
  readonly chunkBytes?: number;
  /** Sent again and again after the last reply, each time as a packet of its own. */
  readonly drip?: { readonly parts: Parts; readonly times: number };
  /** After all that: it stays open, closes, breaks, or begins again with the last reply. */
  readonly end: "hang" | "close" | "reset" | "again";
}

/** A node, an agent or an event endpoint that meets such a server. */
export interface UpstreamDeed {
  readonly action: "upstream";
  readonly protocol: Protocol;
  readonly script: Script;
}

/** One of the checks by its name. */
interface CheckDeed {
  readonly action: "check";
  readonly check: string;
}

export type Deed = FlowDeed | RequestDeed | UpstreamDeed | CheckDeed;

export type Case = Deed & {
  readonly kind: Kind;
  /** What is talked about; only the cases that always run have one. */
  readonly name?: string;
  /** Takes too long for every run of the tests. */
  readonly slow?: boolean;
};

/** What came of a case: what was wrong, and in a few words what happened. */
export interface Outcome {
  readonly faults: readonly string[];
  readonly notes: readonly string[];
}

export function joined(outcomes: readonly Outcome[]): Outcome {
  return {
    faults: [...new Set(outcomes.flatMap(({ faults }) => faults))],
    notes: [...new Set(outcomes.flatMap(({ notes }) => notes))],
  };
}
