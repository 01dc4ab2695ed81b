import type { Instruction, Recipe } from "./recipes.ts";

/** What JSON may hold in a request, and in documents and answers of servers, less what stands around a value. */
const MAX_VALUES_SENT = 97_000;
export const MAX_VALUES_STORED = 195_000;
const MAX_KEYS = 24_000;
const MAX_TRIES = 12;

interface Weight {
  readonly bytes: number;
  readonly values: number;
  /** Those that differ. */
  readonly keys: number;
}

/** The same with fewer of everything, until a limit lets it through: what is refused at the door finds nothing. */
export function fitted<Fitting extends Recipe>(
  recipe: Fitting,
  maxBytes: number,
  maxValues = MAX_VALUES_SENT,
): Fitting {
  let fitting: Recipe = recipe;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { bytes, values, keys } = weigh(fitting);
    const room = Math.min(maxBytes / bytes, maxValues / values, MAX_KEYS / Math.max(1, keys));
    if (room >= 1) return fitting as Fitting;
    fitting = scaled(fitting, Math.min(0.9, room));
  }
  return {} as Fitting;
}

/** Of what is written; cooking a value of gigabytes to find out would be a stall of our own. */
function weigh(recipe: Recipe): Weight {
  if (typeof recipe === "string") return { bytes: JSON.stringify(recipe).length, values: 1, keys: 0 };
  if (typeof recipe !== "object" || recipe === null) return { bytes: 8, values: 1, keys: 0 };
  if (Array.isArray(recipe)) return sum(recipe.map((item: Recipe) => weigh(item)));
  const {
    $text,
    $list,
    $texts,
    $numbers,
    $keys,
    $deep,
    times = 0,
    depth = 0,
    value = null,
  } = recipe as Instruction;
  if ($text !== undefined) return { bytes: times * JSON.stringify($text).length + 6, values: 1, keys: 0 };
  if ($list !== undefined) return { ...often(weigh($list), times), keys: weigh($list).keys };
  if ($texts !== undefined) return { bytes: times * ($texts.length + 9), values: times + 1, keys: 0 };
  if ($numbers !== undefined) return { bytes: $numbers * 8, values: $numbers + 1, keys: 0 };
  if ($keys !== undefined) {
    const all = often(weigh(value), times);
    return { ...all, bytes: all.bytes + times * ($keys.length + 10), keys: times + weigh(value).keys };
  }
  if ($deep !== undefined) {
    const inner = weigh(value);
    return { ...inner, bytes: inner.bytes + depth * 6, values: inner.values + depth };
  }
  const named = Object.entries(recipe).map(([key, inner]) => {
    const weight = weigh(inner);
    return { ...weight, bytes: weight.bytes + key.length + 4, keys: weight.keys + 1 };
  });
  return sum(named);
}

function sum(weights: readonly Weight[]): Weight {
  return weights.reduce(
    (all, one) => ({
      bytes: all.bytes + one.bytes + 1,
      values: all.values + one.values,
      keys: all.keys + one.keys,
    }),
    { bytes: 2, values: 1, keys: 0 },
  );
}

function often({ bytes, values, keys }: Weight, times: number): Weight {
  return { bytes: times * (bytes + 1) + 2, values: times * values + 1, keys: times * keys };
}

function scaled(recipe: Recipe, factor: number): Recipe {
  if (typeof recipe !== "object" || recipe === null) return recipe;
  if (Array.isArray(recipe)) return recipe.map((item: Recipe) => scaled(item, factor));
  return Object.fromEntries(
    Object.entries(recipe).map(([key, inner]) => {
      const isCount = (key === "times" || key === "$numbers") && typeof inner === "number";
      return [key, isCount ? Math.floor(inner * factor) : scaled(inner, factor)];
    }),
  );
}
