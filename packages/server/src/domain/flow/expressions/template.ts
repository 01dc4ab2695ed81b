import { finishSliced, type Sliced } from "../../sliced.ts";
import type { Run } from "./bounded/evaluation.ts";
import {
  compileExpression,
  type CompiledExpression,
  evaluateExpression,
  evaluateInPlace,
  type ExpressionEnvironment,
} from "./compiled-expression.ts";
import { ExpressionError } from "./expression-error.ts";
import { Meter, NotBounded } from "./meter.ts";
import { ParseBudget } from "./parse-expression.ts";
import { scanTemplate } from "./template-scanner.ts";

const maxDepth = 64;
const maxTextLength = 5_000_000;
/** What all expressions of one input may spend before others have their turn, about two milliseconds. */
const maxStepsAtOnce = 200_000;

/** An input of a node, with the expressions in it compiled. */
export interface Template {
  /** The input as the document states it. */
  readonly source: unknown;
  /** Empty where the input is a plain value. */
  readonly expressions: readonly CompiledExpression[];
  /** The cost of every expression is known. */
  readonly isBounded: boolean;
  /** Its value may hold all that nodes have come to. */
  readonly readsAllNodes: boolean;
  readonly render: Render;
}

type Render = (rendering: Rendering) => unknown;

/** Puts a template together from the values of its expressions. */
class Rendering {
  readonly valueOf: (expression: CompiledExpression) => unknown;
  readonly #meter: Meter | undefined;
  #textLength = 0;

  constructor(valueOf: Rendering["valueOf"], meter?: Meter) {
    this.valueOf = valueOf;
    this.#meter = meter;
  }

  /** One limit for all texts of the template: each may be short and all together too much. */
  append(text: string, part: string): string {
    this.#textLength += part.length;
    if (this.#textLength > maxTextLength) throw new ExpressionError("the text has more than 5 MB");
    this.#meter?.spend(part.length >> 5);
    return text + part;
  }
}

/** @throws ExpressionError */
export function compileTemplate(source: unknown): Template {
  return finishSliced(readTemplate(source, new ParseBudget()));
}

/** @throws ExpressionError */
export function* readTemplate(source: unknown, budget: ParseBudget): Sliced<Template> {
  const expressions: CompiledExpression[] = [];
  const render = yield* new TemplateReader(expressions, budget).read(source, 0);
  return { source, ...judge(expressions), render };
}

/** A template of one expression that stands there without braces. */
export function readBareTemplate(source: string, budget: ParseBudget): Template {
  const expression = compileExpression(source, budget);
  return { source, ...judge([expression]), render: renderExpression(expression) };
}

function judge(expressions: readonly CompiledExpression[]) {
  return {
    expressions,
    isBounded: expressions.every(({ run }) => run !== undefined),
    readsAllNodes: expressions.some(({ readsAllNodes }) => readsAllNodes),
  };
}

/** The value, `undefined` where it is missing; a Promise where it cannot be had in place at once. */
export function evaluateTemplate(template: Template, environment: ExpressionEnvironment): unknown {
  if (template.isBounded) {
    try {
      const meter = new Meter(maxStepsAtOnce);
      const valueOf = ({ run }: CompiledExpression) => evaluateInPlace(run as Run, environment, meter);
      return template.render(new Rendering(valueOf, meter));
    } catch (error) {
      if (!(error instanceof NotBounded)) throw error;
    }
  }
  return evaluateInTurn(template, environment);
}

/** One expression after the other, in place or in the sandbox; in between others have their turn. */
async function evaluateInTurn(template: Template, environment: ExpressionEnvironment): Promise<unknown> {
  const values = new Map<CompiledExpression, unknown>();
  for (const expression of template.expressions) {
    await environment.giveWay?.();
    values.set(expression, await evaluateExpression(expression, environment));
  }
  return template.render(new Rendering((expression) => values.get(expression)));
}

/** Compiles the expressions of a value one after the other; others have their turn in between. */
class TemplateReader {
  readonly #expressions: CompiledExpression[];
  readonly #budget: ParseBudget;
  /** The same source in several places is read, and evaluated in turn, once. */
  readonly #read = new Map<string, CompiledExpression>();
  /** How many places of the value hold an expression. */
  #places = 0;

  constructor(expressions: CompiledExpression[], budget: ParseBudget) {
    this.#expressions = expressions;
    this.#budget = budget;
  }

  *read(value: unknown, depth: number): Sliced<Render> {
    if (depth > maxDepth) throw new ExpressionError(`the value nests deeper than ${maxDepth} levels`);
    if (typeof value === "string") return yield* this.#readText(value);
    if (typeof value !== "object" || value === null) return () => value;
    yield;
    const placesBefore = this.#places;
    const render = yield* Array.isArray(value)
      ? this.#readList(value, depth)
      : this.#readObject(value, depth);
    if (this.#places === placesBefore) return () => value;
    this.#budget.addRendered(Object.keys(value).length);
    return render;
  }

  *#readList(list: readonly unknown[], depth: number): Sliced<Render> {
    const items: Render[] = [];
    for (const item of list) items.push(yield* this.read(item, depth + 1));
    return (rendering) => items.map((item) => item(rendering) ?? null);
  }

  *#readObject(object: object, depth: number): Sliced<Render> {
    const fields: [string, Render][] = [];
    for (const [key, value] of Object.entries(object)) {
      if (key !== "__proto__") fields.push([key, yield* this.read(value, depth + 1)]);
    }
    return (rendering) => {
      const result: Record<string, unknown> = {};
      for (const [key, field] of fields) {
        const value = field(rendering);
        if (value !== undefined) result[key] = value;
      }
      return result;
    };
  }

  *#readText(text: string): Sliced<Render> {
    if (!text.includes("{{")) return () => text;
    const parts: (string | Render)[] = [];
    for (const part of scanTemplate(text)) {
      parts.push(part.kind === "text" ? part.text : this.#readExpression(part.source));
      yield;
    }
    const [only] = parts;
    if (parts.length === 1 && typeof only === "function") return only;
    return (rendering) => {
      let result = "";
      for (const part of parts) {
        result = rendering.append(result, typeof part === "string" ? part : toText(part(rendering)));
      }
      return result;
    };
  }

  #readExpression(source: string): Render {
    this.#places += 1;
    this.#budget.addRendered(1);
    const known = this.#read.get(source);
    if (known !== undefined && !known.usesChance) return renderExpression(known);
    const expression = known === undefined ? compileExpression(source, this.#budget) : { ...known };
    this.#expressions.push(expression);
    this.#read.set(source, expression);
    return renderExpression(expression);
  }
}

function renderExpression(expression: CompiledExpression): Render {
  return (rendering) => rendering.valueOf(expression);
}

function toText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  return JSON.stringify(value);
}
