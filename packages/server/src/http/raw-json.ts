import { randomUUID } from "node:crypto";
import type { Answer } from "./route.ts";

/** JSON that goes out as it is, without being read and written again. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Nobody outside can guess it, so it stands in an answer only where it was put here. */
const placeholder = `raw-json-${randomUUID()}`;

export function rawAnswer(body: unknown): Answer {
  const headers = { "content-type": "application/json; charset=utf-8" };
  return { status: 200, headers, body: stringifyWithRaw(body) };
}

export function stringifyWithRaw(body: unknown): string {
  const texts: string[] = [];
  const text = JSON.stringify(body, (_key, value: unknown) => {
    if (!(value instanceof RawJson)) return value;
    texts.push(value.text);
    return placeholder;
  });
  const [first = "", ...rest] = text.split(`"${placeholder}"`);
  return rest.reduce((whole, part, at) => `${whole}${texts[at]}${part}`, first);
}
