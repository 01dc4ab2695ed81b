/** What a JSON value may measure. */
export interface JsonLimits {
  /** Of its text, about. */
  readonly bytes: number;
  readonly values: number;
  readonly depth: number;
}

export type JsonExcess = keyof JsonLimits;

/**
 * About the length of the value as JSON, or the first limit that it exceeds; it is not looked at any further then. A
 * value that stands in several places counts in each of them, as it would as text.
 */
export function measureJson(value: unknown, limits: JsonLimits): number | JsonExcess {
  if (typeof value === "string") return value.length + 2 > limits.bytes ? "bytes" : value.length + 2;
  if (typeof value !== "object" || value === null) return 5;
  const measure = new JsonMeasure(limits);
  return measure.add(value, 1) ?? measure.bytes;
}

class JsonMeasure {
  bytes = 0;
  #values = 0;
  readonly #limits: JsonLimits;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  /** The recursion ends with the limit of depth. */
  add(value: unknown, depth: number): JsonExcess | undefined {
    this.#values += 1;
    if (typeof value === "string") this.bytes += value.length + 2;
    else if (typeof value === "object" && value !== null) {
      if (depth > this.#limits.depth) return "depth";
      this.bytes += 2;
      const excess = Array.isArray(value) ? this.#addItems(value, depth) : this.#addFields(value, depth);
      if (excess !== undefined) return excess;
    } else this.bytes += 5;
    if (this.bytes > this.#limits.bytes) return "bytes";
    return this.#values > this.#limits.values ? "values" : undefined;
  }

  #addItems(items: readonly unknown[], depth: number): JsonExcess | undefined {
    if (items.length > this.#limits.values) return "values";
    for (const item of items) {
      this.bytes += 1;
      const excess = this.add(item, depth + 1);
      if (excess !== undefined) return excess;
    }
    return undefined;
  }

  #addFields(object: object, depth: number): JsonExcess | undefined {
    for (const key in object) {
      this.bytes += key.length + 4;
      const excess = this.add((object as Record<string, unknown>)[key], depth + 1);
      if (excess !== undefined) return excess;
    }
    return undefined;
  }
}
