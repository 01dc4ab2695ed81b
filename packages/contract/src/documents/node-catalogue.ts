import { z } from "zod";
import type { DescribedNode } from "./node-schemas.ts";

/** What the catalogue says of a node type: enough to make a form for it and to connect it. */
export interface NodeTypeDescription {
  readonly type: string;
  readonly summary: string;
  /** One sentence: what the output looks like. */
  readonly output: string;
  /** JSON Schema of the inputs once every expression in them has been evaluated. */
  readonly inputs: {
    readonly properties?: Readonly<Record<string, InputSchema>>;
    readonly required?: readonly string[];
  };
  /** Ways out; `cases` adds those that the input of that name lists. */
  readonly handles: readonly string[];
  readonly cases?: string;
  readonly effect: boolean;
  readonly container?: boolean;
  readonly pauses?: boolean;
  readonly credential?: { readonly types: readonly string[]; readonly required: boolean };
  readonly target?: { readonly input: string; readonly kind: "flow" | "agent" };
  readonly bareExpressions?: readonly string[];
  readonly deferredInputs?: readonly string[];
  readonly example: Readonly<Record<string, unknown>>;
}

/** The part of a JSON Schema that inputs use. */
export interface InputSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly anyOf?: readonly InputSchema[];
  readonly properties?: Readonly<Record<string, InputSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | InputSchema;
  readonly items?: InputSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

type Described = DescribedNode &
  Omit<NodeTypeDescription, "inputs" | "handles" | "cases"> & {
    readonly handles?: (inputs: Record<string, unknown>) => readonly string[];
  };

const PROBE = "a_case";

/** The node types as data, in the order of the node reference. */
export function nodeCatalogue(nodes: Iterable<Described>): NodeTypeDescription[] {
  return [...nodes].map(({ type, summary, output, effect, example, ...node }) => {
    const { container, pauses, credential, target, bareExpressions, deferredInputs } = node;
    const { $schema: _, ...inputs } = z.toJSONSchema(node.inputs, { io: "input", unrepresentable: "any" });
    const hasCases = node.handles?.({ cases: [{ name: PROBE }] }).includes(PROBE);
    return {
      type,
      summary,
      output,
      inputs: inputs as NodeTypeDescription["inputs"],
      handles: node.handles?.({}) ?? ["out"],
      ...(hasCases && { cases: "cases" }),
      effect,
      ...(container && { container }),
      ...(pauses && { pauses }),
      ...(credential && { credential }),
      ...(target && { target }),
      ...(bareExpressions && { bareExpressions }),
      ...(deferredInputs && { deferredInputs }),
      example,
    };
  });
}
