import type { Evaluation } from "./evaluation.ts";
import { define, type FunctionEntry } from "./function-definition.ts";
import { finite } from "./values.ts";

/** Nothing in, nothing out. */
function onNumber(calculate: (value: number, second: number) => number) {
  return (_evaluation: Evaluation, value: number | undefined, second: number) =>
    value === undefined ? undefined : finite(calculate(value, second));
}

function onNumbers(calculate: (values: readonly number[]) => number | undefined) {
  return (evaluation: Evaluation, values: readonly number[] | undefined) => {
    if (values === undefined) return undefined;
    evaluation.spend(values.length);
    const result = calculate(values);
    return result === undefined ? undefined : finite(result);
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function extreme(better: (value: number, best: number) => boolean) {
  return onNumbers((values) => {
    let best = values[0];
    for (const value of values) if (better(value, best as number)) best = value;
    return best;
  });
}

/** Half to even, shifted as text so that no digits are lost. */
function round(value: number, precision?: number): number {
  const shifted = precision ? shiftDecimals(value, precision) : value;
  let result = Math.round(shifted);
  if (Math.abs(result - shifted) === 0.5 && Math.abs(result % 2) === 1) result -= 1;
  if (precision) result = shiftDecimals(result, -precision);
  return result === 0 ? 0 : result;
}

function shiftDecimals(value: number, digits: number): number {
  const [mantissa, exponent] = String(value).split("e");
  return Number(`${mantissa}e${exponent ? Number(exponent) + digits : digits}`);
}

export const numberFunctions: readonly FunctionEntry[] = [
  ["floor", define("n-", onNumber(Math.floor))],
  ["ceil", define("n-", onNumber(Math.ceil))],
  ["abs", define("n-", onNumber(Math.abs))],
  ["round", define("n- n?", onNumber(round))],
  ["sqrt", define("n-", onNumber(Math.sqrt))],
  [
    "power",
    define(
      "n- n",
      onNumber((base, exponent) => base ** exponent),
    ),
  ],
  ["sum", define("An", onNumbers(sum))],
  [
    "average",
    define(
      "An",
      onNumbers((values) => (values.length === 0 ? undefined : sum(values) / values.length)),
    ),
  ],
  [
    "max",
    define(
      "An",
      extreme((value, best) => value > best),
    ),
  ],
  [
    "min",
    define(
      "An",
      extreme((value, best) => value < best),
    ),
  ],
];
