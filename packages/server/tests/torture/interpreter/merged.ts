import { plain, Unknown, type Value } from "./values.ts";

/** What `merge` makes of its sources; those that are absent are left out. `name` is for what cannot be foretold. */
export function merged(mode: "combine" | "append" | "zip", sources: readonly Value[], name: string): Value {
  const present = sources.filter((source) => source !== undefined && source !== null);
  if (present.some((source) => source instanceof Unknown)) return new Unknown(name);
  switch (mode) {
    case "combine":
      return Object.assign({}, ...present);
    case "append":
      return plain(present.flat(1));
    case "zip": {
      const lists = present as Value as readonly (readonly Value[])[];
      const length = Math.max(0, ...lists.map((list) => list.length));
      return Array.from({ length }, (_, at) => lists.map((list) => list[at] ?? null));
    }
  }
}
