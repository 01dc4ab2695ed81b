import { driveSliced, finishSliced, type Sliced } from "../../sliced.ts";
import { writeJson, writeSmallJson } from "../../write-json.ts";
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
/** Items of a list, or fields of an object, that are read before others have their turn. */
const partsAtOnce = 1_000;
/** Those of a text stand in one list, with nothing of their own. */
const partsOfTextAsOne = 8;

/** An input of a node, with the expressions in it compiled. */
export interface Template {
  /** The input as the document states it. */
  readonly source: unknown;
  /** Empty where the input is a plain value. */
  readonly expressions: readonly CompiledExpression[];
  /** Those that stand inside of texts, where a list or an object is written as JSON. */
  readonly inTexts: readonly CompiledExpression[];
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
  readonly textOf: (expression: CompiledExpression) => string;
  readonly #meter: Meter | undefined;
  #textLength = 0;

  constructor(valueOf: Rendering["valueOf"], textOf: Rendering["textOf"], meter?: Meter) {
    this.valueOf = valueOf;
    this.textOf = textOf;
    this.#meter = meter;
  }

  /** One limit for all texts of the template: each may be short and all together too much. */
  append(text: string, part: string): string {
    this.#textLength += part.length;
    if (this.#textLength > maxTextLength) throw tooLong();
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
  const inTexts = new Set<CompiledExpression>();
  const render = yield* new TemplateReader(expressions, inTexts, budget).read(source);
  return { source, ...judge(expressions), inTexts: [...inTexts], render };
}

/** A template of one expression that stands there without braces. */
export function readBareTemplate(source: string, budget: ParseBudget): Template {
  const expression = compileExpression(source, budget);
  return { source, ...judge([expression]), inTexts: [], render: renderExpression(expression) };
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
      const textOf = (expression: CompiledExpression) => toTextInPlace(valueOf(expression), meter);
      return template.render(new Rendering(valueOf, textOf, meter));
    } catch (error) {
      if (!(error instanceof NotBounded)) throw error;
    }
  }
  return evaluateInTurn(template, environment);
}

/** One expression after the other, in place or in the sandbox; in between others have their turn. */
async function evaluateInTurn(template: Template, environment: ExpressionEnvironment): Promise<unknown> {
  const values = new Map<CompiledExpression, unknown>();
  const texts = new Map<CompiledExpression, string>();
  const inTexts = new Set(template.inTexts);
  let length = 0;
  for (const expression of template.expressions) {
    await environment.giveWay?.();
    const value = await evaluateExpression(expression, environment);
    values.set(expression, value);
    if (!inTexts.has(expression)) continue;
    const text = isTree(value)
      ? await driveSliced(writeJson(value), () => environment.giveWay?.())
      : toText(value);
    texts.set(expression, text);
    if ((length += text.length) > maxTextLength) throw tooLong();
  }
  const rendering = new Rendering(
    (expression) => values.get(expression),
    (expression) => texts.get(expression)!,
  );
  return template.render(rendering);
}

/** Compiles the expressions of a value one after the other; others have their turn in between. */
class TemplateReader {
  readonly #expressions: CompiledExpression[];
  readonly #inTexts: Set<CompiledExpression>;
  readonly #budget: ParseBudget;
  /** The same source in several places is read, and evaluated in turn, once. */
  readonly #known = new Map<string, CompiledExpression>();

  constructor(expressions: CompiledExpression[], inTexts: Set<CompiledExpression>, budget: ParseBudget) {
    this.#expressions = expressions;
    this.#inTexts = inTexts;
    this.#budget = budget;
  }

  *read(value: unknown): Sliced<Render> {
    const render = isPlain(value) ? undefined : yield* this.#read(value, 0);
    return render ?? (() => value);
  }

  /** Undefined where nothing in it has to be evaluated: it stands for itself. */
  *#read(value: unknown, depth: number): Sliced<Render | undefined> {
    if (depth > maxDepth) throw new ExpressionError(`the value nests deeper than ${maxDepth} levels`);
    if (typeof value === "string") return yield* this.#readText(value);
    yield;
    return yield* Array.isArray(value)
      ? this.#readList(value, depth)
      : this.#readObject(value as object, depth);
  }

  *#readList(list: readonly unknown[], depth: number): Sliced<Render | undefined> {
    const items: (readonly [at: number, render: Render])[] = [];
    for (const [at, item] of list.entries()) {
      if (at % partsAtOnce === partsAtOnce - 1) yield;
      const render = isPlain(item) ? undefined : yield* this.#read(item, depth + 1);
      if (render !== undefined) items.push([at, render]);
    }
    if (items.length === 0) return undefined;
    this.#budget.addRendered(items.length);
    return (rendering) => {
      const result = [...list];
      for (const [at, render] of items) result[at] = render(rendering) ?? null;
      return result;
    };
  }

  *#readObject(object: object, depth: number): Sliced<Render | undefined> {
    const fields: (readonly [key: string, value: unknown, render: Render | undefined])[] = [];
    for (const [key, value] of Object.entries(object)) {
      if (fields.length % partsAtOnce === partsAtOnce - 1) yield;
      if (key === "__proto__") continue;
      fields.push([key, value, isPlain(value) ? undefined : yield* this.#read(value, depth + 1)]);
    }
    if (fields.every(([, , render]) => render === undefined)) return undefined;
    this.#budget.addRendered(fields.length);
    return (rendering) => {
      const result: Record<string, unknown> = {};
      for (const [key, plain, render] of fields) {
        const value = render === undefined ? plain : render(rendering);
        if (value !== undefined) result[key] = value;
      }
      return result;
    };
  }

  *#readText(text: string): Sliced<Render> {
    const parts: (string | CompiledExpression)[] = [];
    for (const part of scanTemplate(text)) {
      parts.push(part.kind === "text" ? part.text : this.#readExpression(part.source));
      yield;
    }
    this.#budget.addRendered(Math.ceil(parts.length / partsOfTextAsOne));
    const [only] = parts;
    if (parts.length === 1 && typeof only === "object") return renderExpression(only);
    for (const part of parts) if (typeof part === "object") this.#inTexts.add(part);
    return (rendering) => {
      let result = "";
      for (const part of parts)
        result = rendering.append(result, typeof part === "string" ? part : rendering.textOf(part));
      return result;
    };
  }

  #readExpression(source: string): CompiledExpression {
    const known = this.#known.get(source);
    if (known !== undefined && !known.usesChance) return known;
    const expression = known === undefined ? compileExpression(source, this.#budget) : { ...known };
    this.#expressions.push(expression);
    this.#known.set(source, expression);
    return expression;
  }
}

/** Holds no expression, and nothing that could. */
function isPlain(value: unknown): boolean {
  return typeof value === "string" ? !value.includes("{{") : typeof value !== "object" || value === null;
}

function renderExpression(expression: CompiledExpression): Render {
  return (rendering) => rendering.valueOf(expression);
}

function isTree(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** @throws NotBounded */
function toTextInPlace(value: unknown, meter: Meter): string {
  if (!isTree(value)) return toText(value);
  const text = writeSmallJson(value);
  if (text === undefined) throw new NotBounded();
  meter.spend(text.length);
  return text;
}

function tooLong(): ExpressionError {
  return new ExpressionError("the text has more than 5 MB");
}

function toText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  return JSON.stringify(value);
}
