import { scanJson } from "./json-limits.ts";

type Path = readonly (string | number)[];

/** What is wrong with a JSON text, in words for the sender. */
export class JsonFault extends Error {
  readonly path: Path;
  constructor(message: string, path: Path = []) {
    super(message);
    this.path = path;
  }
}

/** Less than others may send: a body is checked, written down and handed to a run without a pause. */
const BODY_LIMITS = { maxDepth: 64, maxValues: 100_000 };

/** JSON that was looked through and not parsed yet. */
export interface ScannedJson {
  /** How many it holds. */
  readonly values: number;
  readonly parse: () => unknown;
}

/**
 * JSON of a caller. Refused are texts that could hurt later: more than the limits allow, keys that reach a
 * prototype, characters PostgreSQL cannot keep, and numbers that would become another value.
 */
export function parseJson(text: string): unknown {
  return scanBody(text).parse();
}

/** The same in two steps, each of which may throw. */
export function scanBody(text: string): ScannedJson {
  const { fault, hasHugeNumber, values } = scanJson(text, BODY_LIMITS);
  if (fault !== undefined) throw new JsonFault(fault);
  return { values, parse: () => parseScanned(text, hasHugeNumber) };
}

function parseScanned(text: string, hasHugeNumber: boolean): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new JsonFault(`must be valid JSON: ${(error as Error).message}`);
  }
  // All dangers need one of these letters in the text; without them the walk is not worth its time.
  if (hasHugeNumber || /\\u|__proto__|constructor/.test(text)) refuseDangers(value, []);
  return value;
}

/** The same limits for JSON of another server or of user code; what it means is the business of the flow. */
export function parseForeignJson(text: string, limits?: { maxValues: number }): unknown {
  const { fault } = scanJson(text, limits);
  if (fault !== undefined) throw new JsonFault(fault);
  return JSON.parse(text);
}

/** `path` is one list that grows and shrinks with the walk. */
function refuseDangers(value: unknown, path: (string | number)[]): void {
  if (typeof value === "string") {
    if (value.includes("\0") || !value.isWellFormed()) {
      throw new JsonFault("must not contain NUL characters or lone surrogates", path);
    }
  } else if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new JsonFault("must be a number below 1.8e308", path);
  } else if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) refuseWithin(value[at], at, path);
  } else if (typeof value === "object" && value !== null) {
    for (const key in value) {
      const inner = (value as Record<string, unknown>)[key];
      const poisonsConstructor =
        key === "constructor" &&
        typeof inner === "object" &&
        inner !== null &&
        Object.hasOwn(inner, "prototype");
      if (key === "__proto__" || poisonsConstructor)
        throw new JsonFault(`must not contain the key ${key}`, path);
      refuseDangers(key, path);
      refuseWithin(inner, key, path);
    }
  }
}

function refuseWithin(value: unknown, step: string | number, path: (string | number)[]): void {
  path.push(step);
  refuseDangers(value, path);
  path.pop();
}
