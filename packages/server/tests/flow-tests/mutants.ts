import type { FlowDocument } from "@millrace/contract/documents/flow";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";
import { withReplay } from "../../src/engine/replay/with-replay.ts";
import { findTests } from "../../src/operations/flow-tests/find-tests.ts";
import { prepareFlow, runFlowTest } from "../../src/operations/flow-tests/run-flow-test.ts";

/** A flow with one thing wrong. */
export interface Mutant {
  readonly flow: FlowDocument;
  readonly kind: "condition" | "expression" | "comparison";
  /** `large.condition: {{ a > 1 }} → {{ $not(a > 1) }}` */
  readonly text: string;
}

type Change = Pick<Mutant, "kind"> & { readonly to: string };

const EXPRESSION = /\{\{(.*?)\}\}/gs;
const COMPARISONS: Readonly<Record<string, string>> = {
  ">": ">=",
  ">=": ">",
  "<": "<=",
  "<=": "<",
  "=": "!=",
  "!=": "=",
};

/** Every condition turned round, every expression with another result, every comparison moved by a hair: one at a time. */
function* mutantsOf(flow: FlowDocument): Generator<Mutant> {
  for (const [at, { id, type, data }] of flow.graph.nodes.entries()) {
    for (const [path, text] of textsOf(data?.inputs ?? {}, [])) {
      const isBare = type === "transform" && path[0] === "expression";
      for (const { kind, to } of changesOf(text, { isBare, isCondition: path[0] === "condition" })) {
        const copy = structuredClone(flow);
        set(copy.graph.nodes[at]!.data!.inputs!, path, to);
        yield { flow: copy, kind, text: `${id}.${path.join(".")}: ${text} → ${to}` };
      }
    }
  }
}

function* changesOf(
  text: string,
  { isBare, isCondition }: { isBare: boolean; isCondition: boolean },
): Generator<Change> {
  const expressions = isBare ? [{ source: text, put: (to: string) => to }] : inTemplate(text);
  for (const { source, put } of expressions) {
    if (isCondition) yield { kind: "condition", to: put(`$not(${source})`) };
    else yield { kind: "expression", to: put(`$string(${source}) & '~'`) };
    for (const match of source.matchAll(/(?<= )(>=|<=|!=|>|<|=)(?= )/g)) {
      const other = COMPARISONS[match[0]]!;
      const to = source.slice(0, match.index) + other + source.slice(match.index + match[0].length);
      yield { kind: "comparison", to: put(to) };
    }
  }
}

function inTemplate(text: string) {
  return Array.from(text.matchAll(EXPRESSION), (match) => ({
    source: match[1]!.trim(),
    put: (to: string) =>
      `${text.slice(0, match.index)}{{ ${to} }}${text.slice(match.index + match[0].length)}`,
  }));
}

function* textsOf(value: unknown, path: readonly string[]): Generator<[readonly string[], string]> {
  if (typeof value === "string") yield [path, value];
  else if (typeof value === "object" && value !== null)
    for (const [key, item] of Object.entries(value)) yield* textsOf(item, [...path, key]);
}

function set(value: unknown, path: readonly string[], to: string): void {
  const parent = path.slice(0, -1).reduce((inner, key) => (inner as Record<string, unknown>)[key], value);
  (parent as Record<string, unknown>)[path.at(-1)!] = to;
}

export interface Verdict {
  readonly flowId: string;
  readonly mutant: Mutant;
  readonly caught: boolean;
}

/** Runs the tests of these files on flows that `choose` has spoiled. */
export async function judgeMutants(
  paths: readonly string[],
  choose: (mutants: Iterable<Mutant>) => Iterable<Mutant> = (all) => all,
): Promise<Verdict[]> {
  const { tests, flows } = await findTests(paths);
  const { signal } = new AbortController();
  return withReplay(async (replay) => {
    const context = { replay, catalogue: nodeTypes };
    const verdicts: Verdict[] = [];
    for (const [flowId, ofFlow] of Map.groupBy(tests, ({ document }) => document.flowId)) {
      for (const mutant of choose(mutantsOf(flows.get(flowId)!))) {
        const prepared = await prepareFlow(context, mutant.flow);
        let caught = false;
        for (const { document } of ofFlow) {
          caught ||= !(await runFlowTest(context, prepared, document, signal)).passed;
        }
        verdicts.push({ flowId, mutant, caught });
      }
    }
    return verdicts;
  });
}
