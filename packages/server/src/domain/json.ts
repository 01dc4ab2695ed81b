/** What is wrong with a JSON text, in words for the sender. */
export class JsonFault extends Error {}

const MAX_DEPTH = 64;

/**
 * Parses JSON from outside. Refused are texts that could hurt later: nesting that overflows a stack,
 * keys that reach a prototype, and characters PostgreSQL cannot keep.
 */
export function parseJson(text: string): unknown {
  refuseDeepNesting(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new JsonFault(`must be valid JSON: ${(error as Error).message}`);
  }
  // All dangers need one of these letters in the text; without them the walk is not worth its time.
  if (/\\u|__proto__|constructor/.test(text)) refuseDangers(value);
  return value;
}

function refuseDeepNesting(text: string): void {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (inString) {
      if (char === 92) at++;
      else if (char === 34) inString = false;
    } else if (char === 34) inString = true;
    else if (char === 123 || char === 91) {
      if (++depth > MAX_DEPTH) throw new JsonFault(`must not be nested deeper than ${MAX_DEPTH} levels`);
    } else if (char === 125 || char === 93) depth--;
  }
}

function refuseDangers(value: unknown): void {
  if (typeof value === "string") {
    if (value.includes("\0") || !value.isWellFormed()) {
      throw new JsonFault("must not contain NUL characters or lone surrogates");
    }
  } else if (Array.isArray(value)) value.forEach(refuseDangers);
  else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      const poisonsConstructor =
        key === "constructor" &&
        typeof inner === "object" &&
        inner !== null &&
        Object.hasOwn(inner, "prototype");
      if (key === "__proto__" || poisonsConstructor) throw new JsonFault(`must not contain the key ${key}`);
      refuseDangers(key);
      refuseDangers(inner);
    }
  }
}
