import type { z } from "zod";
import type { Sliced } from "../sliced.ts";

export type CredentialType =
  | "http-bearer"
  | "http-basic"
  | "http-header"
  | "postgres"
  | "smtp"
  | "model-provider";

/** What a node does to the world around it. */
export interface NodeTouch {
  /** Changes something, anywhere. */
  readonly changes: boolean;
  /** What it changes may be replaced or lost, not only added to. */
  readonly destroys: boolean;
  /** Reaches somebody outside the service. */
  readonly outside: boolean;
}

/**
 * What the rules of a flow need to know of a node type. The engine's node files add `execute` to it;
 * validation, overrides, the JSON Schema and the node reference read only this.
 */
export interface NodeKind {
  readonly type: string;
  /** One sentence for the node reference. */
  readonly summary: string;
  /** The inputs once every expression in them has been evaluated. Each field carries a `.describe()` text. */
  readonly inputs: z.ZodObject;
  /** Leaves the service, or reads or keeps something: its output is checkpointed before anything follows that others notice. */
  readonly effect: boolean;
  /** Of an effect, given the inputs as the document states them; where it says nothing, the worst is assumed. */
  readonly touches?: (inputs: Readonly<Record<string, unknown>>) => NodeTouch;
  /** Waits for a time or a person; that it ended is kept as an effect is. */
  readonly pauses?: boolean;
  /** Runs what its author wrote, which may ask for the time. */
  readonly readsClock?: boolean;
  /** Holds other nodes (`parentId`) and runs them in rounds. */
  readonly container?: boolean;
  /** Inputs whose expressions the node evaluates itself, once per item or round (`filter`, `while`). */
  readonly deferredInputs?: readonly string[];
  /** Inputs that are JSONata as they stand, without braces (`transform`); they are deferred too. */
  readonly bareExpressions?: readonly string[];
  /** Inputs that neither a trigger nor a webhook may override (`code` sources). */
  readonly lockedInputs?: readonly string[];
  /** What is wrong with the inputs as the document states them, beyond their types; each a sentence without a stop. */
  readonly faultsOf?: (
    inputs: Readonly<Record<string, unknown>>,
  ) => readonly string[] | Sliced<readonly string[]>;
  /** The same for rules that versions need not keep which were published before there were such rules. */
  readonly newFaultsOf?: (inputs: Readonly<Record<string, unknown>>) => readonly string[];
  /** Handles an edge may leave by, given the literal inputs; `["out"]` unless stated. */
  readonly handles?: (inputs: Record<string, unknown>) => readonly string[];
  readonly credential?: { readonly types: readonly CredentialType[]; readonly required: boolean };
  /** The input that names another flow or agent, so that validation can ask whether it exists. */
  readonly target?: { readonly input: string; readonly kind: "flow" | "agent" };
  /** One sentence for the node reference: what the output looks like. */
  readonly output: string;
}

export type NodeCatalogue = ReadonlyMap<string, NodeKind>;
