import { isOddNumber, isWellFormed } from "./well-formed.ts";

/** What a JSON value may measure. */
export interface JsonLimits {
  /** Of its text, about. */
  readonly bytes: number;
  readonly values: number;
  readonly depth: number;
}

export type JsonExcess = keyof JsonLimits;

/** What was noticed on the way. */
export interface JsonNotes {
  /** A text or a key is not well-formed. */
  hasBrokenText: boolean;
  /** A number is infinite or none: JSON has null for it. */
  hasOddNumber: boolean;
  /** How many values there were, in all that was measured. */
  values: number;
}

/**
 * About the length of the value as JSON, or the first limit that it exceeds; it is not looked at any further then. A
 * value that stands in several places counts in each of them, as it would as text.
 */
export function measureJson(value: unknown, limits: JsonLimits, notes?: JsonNotes): number | JsonExcess {
  if (notes) notes.values += 1;
  if (typeof value === "string") {
    if (value.length + 2 > limits.bytes) return "bytes";
    if (notes && !isWellFormed(value)) notes.hasBrokenText = true;
    return value.length + 2;
  }
  if (typeof value !== "object" || value === null) {
    if (notes && isOddNumber(value)) notes.hasOddNumber = true;
    return 5;
  }
  const measure = new JsonMeasure(limits, notes);
  const excess = measure.add(value, 1);
  if (notes) notes.values += measure.values - 1;
  return excess ?? measure.bytes;
}

/** What a value takes in memory besides its text, about. */
export const BYTES_PER_VALUE = 32;
const NO_LIMITS: JsonLimits = { bytes: Infinity, values: Infinity, depth: 1_000 };

/** About what a JSON value takes in memory. */
export function weighJson(value: unknown): number {
  if (value === undefined) return 0;
  const measure = new JsonMeasure(NO_LIMITS, undefined);
  measure.add(value, 1);
  return measure.bytes + measure.values * BYTES_PER_VALUE;
}

class JsonMeasure {
  bytes = 0;
  values = 0;
  readonly #limits: JsonLimits;

  readonly #notes: JsonNotes | undefined;

  constructor(limits: JsonLimits, notes: JsonNotes | undefined) {
    this.#limits = limits;
    this.#notes = notes;
  }

  /** The recursion ends with the limit of depth. */
  add(value: unknown, depth: number): JsonExcess | undefined {
    this.values += 1;
    if (typeof value === "string") this.#addText(value, 2);
    else if (typeof value === "object" && value !== null) {
      if (depth > this.#limits.depth) return "depth";
      this.bytes += 2;
      const excess = Array.isArray(value) ? this.#addItems(value, depth) : this.#addFields(value, depth);
      if (excess !== undefined) return excess;
    } else {
      this.bytes += 5;
      if (this.#notes && isOddNumber(value)) this.#notes.hasOddNumber = true;
    }
    if (this.bytes > this.#limits.bytes) return "bytes";
    return this.values > this.#limits.values ? "values" : undefined;
  }

  #addText(text: string, around: number): void {
    this.bytes += text.length + around;
    if (this.#notes && !isWellFormed(text)) this.#notes.hasBrokenText = true;
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
      this.#addText(key, 4);
      const excess = this.add((object as Record<string, unknown>)[key], depth + 1);
      if (excess !== undefined) return excess;
    }
    return undefined;
  }
}
