/** Large values in a few characters, so that a case fits on a screen and into a file. Anything else stands for itself. */
export type Recipe =
  | {
      readonly $text: string;
      readonly times: number;
      readonly begin?: string;
      readonly middle?: string;
      readonly end?: string;
    }
  | { readonly $list: Recipe; readonly times: number }
  | { readonly $texts: string; readonly times: number }
  | { readonly $numbers: number }
  | { readonly $keys: string; readonly times: number; readonly value: Recipe }
  | { readonly $deep: "list" | "object"; readonly depth: number; readonly value: Recipe }
  | string
  | number
  | boolean
  | null
  | readonly Recipe[]
  | { readonly [key: string]: Recipe };

/** Whatever an object of a recipe may hold, as it is read. */
export interface Instruction {
  readonly $text?: string;
  readonly $list?: Recipe;
  readonly $texts?: string;
  readonly $numbers?: number;
  readonly $keys?: string;
  readonly $deep?: "list" | "object";
  readonly times?: number;
  readonly depth?: number;
  readonly value?: Recipe;
  readonly begin?: string;
  readonly middle?: string;
  readonly end?: string;
}

export function cook(recipe: Recipe): unknown {
  if (typeof recipe !== "object" || recipe === null) return recipe;
  if (Array.isArray(recipe)) return recipe.map((item: Recipe) => cook(item));
  const instruction = recipe as Instruction;
  const { $text, $list, $texts, $numbers, $keys, $deep, times = 0, depth = 0, value = null } = instruction;
  if ($text !== undefined) return cookText($text, times, instruction);
  if ($list !== undefined) return Array.from({ length: times }, () => cook($list));
  if ($texts !== undefined) return Array.from({ length: times }, (_, at) => `${$texts}${at}`);
  if ($numbers !== undefined) return Array.from({ length: $numbers }, (_, at) => at);
  if ($keys !== undefined) {
    // Of a recipe that was scaled down to nothing, what it would be made of may still be gigabytes.
    const inner = times > 0 ? cook(value) : null;
    return Object.fromEntries(Array.from({ length: times }, (_, at) => [`${$keys}${at}`, inner]));
  }
  if ($deep !== undefined) {
    let inner = cook(value);
    for (let at = 0; at < depth; at++) inner = $deep === "list" ? [inner] : { a: inner };
    return inner;
  }
  return Object.fromEntries(Object.entries(recipe).map(([key, inner]) => [key, cook(inner)]));
}

function cookText(unit: string, times: number, { begin = "", middle = "", end = "" }: Instruction): string {
  const half = times >> 1;
  return begin + unit.repeat(half) + middle + unit.repeat(times - half) + end;
}
