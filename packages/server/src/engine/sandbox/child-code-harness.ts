import { sfc32 } from "./chance.ts";
import { maxResultTextLength, tooLargeText } from "./result-limits.ts";

/**
 * QuickJS source that runs before the user's code and keeps the untouched built-ins. Its answer is one string:
 * `=` and the result as JSON (nothing behind it for `undefined`), or `!` and the error as JSON.
 */
export const harness = `(function (log, seed) {
  const { parse, stringify } = JSON;
  const random = (${sfc32.toString()})(parse(seed));
  const byte = () => Math.trunc(random() * 256);
  Math.random = random;
  globalThis.crypto = {
    getRandomValues(array) {
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      for (let at = 0; at < bytes.length; at += 1) bytes[at] = byte();
      return array;
    },
    randomUUID() {
      const bytes = Array.from({ length: 16 }, byte);
      bytes[6] = (bytes[6] & 15) | 64;
      bytes[8] = (bytes[8] & 63) | 128;
      const text = bytes.map((value) => value.toString(16).padStart(2, "0")).join("");
      return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join("-");
    },
  };
  const text = (value) => {
    if (typeof value === "string") return value;
    try { return stringify(value) ?? String(value); } catch { return String(value); }
  };
  const write = (...values) => { log(values.map(text).join(" ").slice(0, 1024)); };
  globalThis.console = { log: write, info: write, warn: write, error: write, debug: write };
  const failure = (error) => {
    try {
      if (!(error instanceof Error)) return { name: "", message: "it threw " + text(error), stack: "" };
      return { name: String(error.name), message: String(error.message), stack: String(error.stack) };
    } catch { return { name: "", message: "it threw a value that cannot be shown", stack: "" }; }
  };
  return async (main, inputText) => {
    try {
      const value = await main(inputText === undefined ? undefined : parse(inputText));
      if (typeof value === "function" || typeof value === "symbol") {
        throw new TypeError("the result is a " + typeof value + "; return plain data");
      }
      const json = stringify(value);
      if (json !== undefined && json.length > ${maxResultTextLength}) {
        throw new RangeError("${tooLargeText}");
      }
      return "=" + (json ?? "");
    } catch (error) {
      const { name, message, stack } = failure(error);
      return "!" + stringify({ name: name.slice(0, 100), message: message.slice(0, 1000), stack: stack.slice(0, 2000) });
    }
  };
})`;

/** On one line with the first line of the source, so that line numbers in errors are the author's. */
export function userFunction(source: string): string {
  return `(async function (input) {${source}\n})`;
}
