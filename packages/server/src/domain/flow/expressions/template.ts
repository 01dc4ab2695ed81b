import { NotBounded } from "./bounded/evaluation.ts";
import {
  compileExpression,
  type CompiledExpression,
  evaluateExpression,
  evaluateInPlace,
  type ExpressionEnvironment,
} from "./compiled-expression.ts";
import { ExpressionError } from "./expression-error.ts";
import { scanTemplate } from "./template-scanner.ts";

const maxDepth = 64;
const maxTextLength = 5_000_000;

/** An input of a node, with the expressions in it compiled. */
export interface Template {
  /** The input as the document states it. */
  readonly source: unknown;
  /** Empty where the input is a plain value. */
  readonly expressions: readonly CompiledExpression[];
  readonly render: Render;
}

type Answers = ReadonlyMap<CompiledExpression, unknown>;
type Render = (environment: ExpressionEnvironment, answers: Answers | undefined) => unknown;

/** @throws ExpressionError */
export function compileTemplate(source: unknown): Template {
  const expressions: CompiledExpression[] = [];
  const render = compileValue(source, expressions, 0);
  return { source, expressions, render };
}

/** A template of one expression that stands there without braces. */
export function compileBareTemplate(source: string): Template {
  const expression = compileExpression(source);
  return { source, expressions: [expression], render: renderExpression(expression) };
}

/** The value, `undefined` where it is missing; a Promise where an expression has to go to the sandbox. */
export function evaluateTemplate(template: Template, environment: ExpressionEnvironment): unknown {
  if (template.expressions.every(({ run }) => run !== undefined)) {
    try {
      return template.render(environment, undefined);
    } catch (error) {
      if (!(error instanceof NotBounded)) throw error;
    }
  }
  return renderAfterSandbox(template, environment);
}

async function renderAfterSandbox(template: Template, environment: ExpressionEnvironment): Promise<unknown> {
  const answers = new Map<CompiledExpression, unknown>();
  for (const expression of template.expressions) {
    answers.set(expression, await evaluateExpression(expression, environment));
  }
  return template.render(environment, answers);
}

function compileValue(value: unknown, expressions: CompiledExpression[], depth: number): Render {
  if (depth > maxDepth) throw new ExpressionError(`the value nests deeper than ${maxDepth} levels`);
  if (typeof value === "string") return compileText(value, expressions);
  if (typeof value !== "object" || value === null) return () => value;
  const countBefore = expressions.length;
  const render = Array.isArray(value)
    ? compileList(value, expressions, depth)
    : compileObject(value, expressions, depth);
  return expressions.length === countBefore ? () => value : render;
}

function compileList(list: readonly unknown[], expressions: CompiledExpression[], depth: number): Render {
  const items = list.map((item) => compileValue(item, expressions, depth + 1));
  return (environment, answers) => items.map((item) => item(environment, answers) ?? null);
}

function compileObject(object: object, expressions: CompiledExpression[], depth: number): Render {
  const fields = Object.entries(object)
    .filter(([key]) => key !== "__proto__")
    .map(([key, value]) => [key, compileValue(value, expressions, depth + 1)] as const);
  return (environment, answers) => {
    const result: Record<string, unknown> = {};
    for (const [key, field] of fields) {
      const value = field(environment, answers);
      if (value !== undefined) result[key] = value;
    }
    return result;
  };
}

function compileText(text: string, expressions: CompiledExpression[]): Render {
  if (!text.includes("{{")) return () => text;
  const parts = scanTemplate(text).map((part) => {
    if (part.kind === "text") return part.text;
    const expression = compileExpression(part.source);
    expressions.push(expression);
    return renderExpression(expression);
  });
  const [only] = parts;
  if (parts.length === 1 && typeof only === "function") return only;
  return (environment, answers) => {
    let result = "";
    for (const part of parts) {
      result += typeof part === "string" ? part : toText(part(environment, answers));
      if (result.length > maxTextLength) throw new ExpressionError("the text has more than 5 MB");
    }
    return result;
  };
}

function renderExpression(expression: CompiledExpression): Render {
  return (environment, answers) => {
    if (answers !== undefined) return answers.get(expression);
    if (expression.run === undefined) throw new NotBounded();
    return evaluateInPlace(expression.run, environment);
  };
}

function toText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  return JSON.stringify(value);
}
