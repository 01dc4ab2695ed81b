import { isObject } from "./values.ts";

const MARK = "[secret]";

/** Replaces every given text, wherever it stands in a JSON value: a server may well echo what it was sent. */
export function redact<Value>(value: Value, secrets: readonly string[]): Value {
  if (secrets.length === 0) return value;
  return redactPart(value, secrets) as Value;
}

function redactPart(part: unknown, secrets: readonly string[]): unknown {
  if (typeof part === "string") return secrets.reduce((text, secret) => text.replaceAll(secret, MARK), part);
  if (Array.isArray(part)) return part.map((item) => redactPart(item, secrets));
  if (!isObject(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [
      redactPart(key, secrets) as string,
      redactPart(value, secrets),
    ]),
  );
}
