import { stepText } from "../documents/fault.ts";
import type { Sliced } from "../sliced.ts";

/** By these names values are secrets: they are kept for nobody. */
const SECRET_NAME =
  /authorization|cookie|passw|secret|token|api[-_]?key|credential|signature|private[-_]?key|session/i;
/** And by these looks: headers, JSON Web Tokens, PEM, keys of ours and of others. */
const SECRET_TEXT = /^(Bearer|Basic|ApiKey) |^eyJ[\w-]+\.|-----BEGIN|^(mr|sk|pk|ghp|xox[a-z])[_-]\S{8,}/;

const FORMS: readonly (readonly [RegExp, (n: number) => string])[] = [
  [/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/, (n) => `user${n}@example.com`],
  [/^https?:\/\//, (n) => `https://example.com/${n}`],
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d/, (n) => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString()],
  [/^\d{4}-\d\d-\d\d$/, (n) => new Date(Date.UTC(2026, 0, n)).toISOString().slice(0, 10)],
  [
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    (n) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
  ],
  [/^\d+$/, String],
];

const VALUES_IN_ONE_GO = 100;
/** More paths than that nobody reads. */
const MAX_PATHS = 1_000;

/** Values that tell nothing of anybody. */
const HARMLESS: ReadonlySet<unknown> = new Set(["", 0, 1, true, false, null]);

/** Where a value stands, and what follows from that; made once for all values below it. */
class Place {
  readonly text: string;
  /** The same for every item of a list. */
  readonly ofAll: string;
  readonly isSecret: boolean;
  readonly isKept: boolean;

  private constructor(text: string, ofAll: string, isSecret: boolean, isKept: boolean) {
    this.text = text;
    this.ofAll = ofAll;
    this.isSecret = isSecret;
    this.isKept = isKept;
  }

  static of(path: readonly PropertyKey[], keep: ReadonlySet<string>): Place {
    return path.reduce<Place>(
      (place, step) => place.below(step, keep),
      new Place("", "", false, keep.has("*")),
    );
  }

  below(step: PropertyKey, keep: ReadonlySet<string>): Place {
    const text = this.text + stepText(step, this.text);
    const ofAll = this.ofAll + (typeof step === "number" ? "[]" : stepText(step, this.ofAll));
    const isSecret = this.isSecret || SECRET_NAME.test(String(step));
    const isKept = this.isKept || (keep.size > 0 && (keep.has(text) || keep.has(ofAll)));
    return new Place(text, ofAll, isSecret, isKept);
  }
}

/** Replaces the values of a run by others of the same form, equal ones by equal ones, and says which. */
export class Redaction {
  readonly #keep: ReadonlySet<string>;
  readonly #replaced = new Map<unknown, unknown>();
  readonly #redacted = new Set<string>();
  readonly #kept = new Set<string>();
  #values = 0;

  /** `keep`: paths such as `trigger.body.amount`, with all below them; `lines[].price` of every item; `*` for all. */
  constructor(keep: readonly string[]) {
    this.#keep = new Set(keep);
  }

  /** Paths of what was replaced, of every item alike; the first thousand. */
  get redacted(): string[] {
    return [...this.#redacted];
  }

  get kept(): string[] {
    return [...this.#kept];
  }

  /** `isStructure` names keys right below the value that mean the same for everybody. */
  redact(
    value: unknown,
    path: readonly PropertyKey[],
    isStructure: (key: string) => boolean = () => false,
  ): Sliced<unknown> {
    return this.#redact(value, Place.of(path, this.#keep), isStructure);
  }

  *#redact(value: unknown, place: Place, isStructure?: (key: string) => boolean): Sliced<unknown> {
    this.#values += 1;
    if (this.#values % VALUES_IN_ONE_GO === 0) yield;
    if (typeof value !== "object" || value === null) return this.#leaf(value, place);
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const [index, item] of value.entries())
        items.push(yield* this.#redact(item, place.below(index, this.#keep)));
      return items;
    }
    const entries: [string, unknown][] = [];
    for (const [key, item] of Object.entries(value)) {
      const isKept = isStructure?.(key) && typeof item !== "object";
      entries.push([key, isKept ? item : yield* this.#redact(item, place.below(key, this.#keep))]);
    }
    return Object.fromEntries(entries);
  }

  #leaf(value: unknown, place: Place): unknown {
    if (HARMLESS.has(value)) return value;
    if (place.isKept && !place.isSecret && !looksSecret(value)) {
      note(this.#kept, place);
      return value;
    }
    note(this.#redacted, place);
    const known = this.#replaced.get(value) ?? stand(value, this.#replaced.size + 2);
    this.#replaced.set(value, known);
    return known;
  }
}

function note(paths: Set<string>, { ofAll }: Place): void {
  if (paths.size < MAX_PATHS) paths.add(ofAll);
}

function looksSecret(value: unknown): boolean {
  return typeof value === "string" && SECRET_TEXT.test(value);
}

/** What stands in the place of a value; numbers stay whole or broken. */
function stand(value: unknown, n: number): unknown {
  if (typeof value === "number") return Number.isInteger(value) ? n : n + 0.5;
  const text = String(value);
  return FORMS.find(([form]) => form.test(text))?.[1](n) ?? `redacted ${n}`;
}
