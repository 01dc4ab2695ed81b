import { NotBounded } from "../meter.ts";
import type { Evaluation, Run } from "./evaluation.ts";
import { appendAll, isNumeric, lookUp, toBoolean } from "./values.ts";

/** A plain name is its own step: most steps are, and thousands of them are kept for as long as their flow is used. */
export type Step = string | ComputedStep;

interface ComputedStep {
  readonly run: Run;
  readonly filters: readonly Filter[];
  readonly isVariable: boolean;
  readonly isConstructedArray: boolean;
}

export type Filter = (evaluation: Evaluation, input: unknown) => unknown;

export function compileName(name: string): Run {
  return (evaluation, context) => lookUp(evaluation, context, name);
}

export function compileIndexFilter(position: number): Filter {
  return (evaluation, input) => {
    const items = Array.isArray(input) ? input : [input];
    const index = Math.floor(position);
    const item: unknown = items[index < 0 ? items.length + index : index];
    if (Array.isArray(item)) return item;
    return evaluation.sequence(item === undefined ? [] : [item]);
  };
}

export function compilePredicate(predicate: Run): Filter {
  return (evaluation, input) => {
    const items: unknown[] = Array.isArray(input) ? input : [input];
    const kept: unknown[] = [];
    evaluation.spend(items.length);
    for (const [index, item] of items.entries()) {
      const verdict = predicate(evaluation, item);
      const positions = isNumeric(verdict) ? [verdict] : verdict;
      if (Array.isArray(positions) && positions.every(isNumeric)) {
        evaluation.spend(positions.length);
        for (const position of positions) {
          const floor = Math.floor(position);
          if ((floor < 0 ? items.length + floor : floor) === index) kept.push(item);
        }
      } else if (toBoolean(evaluation, verdict)) kept.push(item);
    }
    return evaluation.sequence(kept);
  };
}

export function compilePath(steps: readonly Step[], keepSingletonArray: boolean): Run {
  const [first] = steps;
  const isOfVariable = typeof first === "object" && first.isVariable;
  return (evaluation, context) => {
    let start = 0;
    let value = context;
    if (!keepSingletonArray) {
      // Through plain objects there is no need of sequences.
      for (; start < steps.length && !Array.isArray(value); start += 1) {
        const step = steps[start];
        if (typeof step !== "string") break;
        value = lookUp(evaluation, value, step);
        if (value === undefined) return undefined;
      }
      evaluation.spend(start);
      if (start === steps.length) return value;
    }
    let items: unknown[] = Array.isArray(value) && (start > 0 || !isOfVariable) ? value : [value];
    for (; start < steps.length; start += 1) {
      const step = steps[start] as Step;
      items =
        start === 0 && typeof step === "object" && step.isConstructedArray
          ? constructedArray(step.run(evaluation, items))
          : takeStep(evaluation, step, items, start === steps.length - 1);
      if (items.length === 0) break;
    }
    if (keepSingletonArray) {
      if (evaluation.isConstructed(items) && !evaluation.isSequence(items))
        items = evaluation.sequence([items]);
      evaluation.keepSingleton(items);
    }
    return items;
  };
}

/** A block that only may end in an array constructor is treated as one by the parser. */
function constructedArray(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new NotBounded();
  return value;
}

function runStep(evaluation: Evaluation, step: Step, item: unknown): unknown {
  if (typeof step === "string") {
    evaluation.spend(1);
    return evaluation.unwrap(lookUp(evaluation, item, step), false);
  }
  let result = step.run(evaluation, item);
  for (const filter of step.filters) result = filter(evaluation, result);
  return result;
}

function takeStep(evaluation: Evaluation, step: Step, items: readonly unknown[], isLast: boolean): unknown[] {
  const results: unknown[] = [];
  evaluation.spend(items.length);
  for (const item of items) {
    const result = runStep(evaluation, step, item);
    if (result !== undefined) results.push(result);
  }
  const [only] = results;
  if (isLast && results.length === 1 && Array.isArray(only) && !evaluation.isSequence(only)) return only;
  const flat: unknown[] = [];
  for (const result of results) {
    if (Array.isArray(result) && !evaluation.isConstructed(result)) appendAll(evaluation, flat, result);
    else flat.push(result);
  }
  return evaluation.sequence(flat);
}
