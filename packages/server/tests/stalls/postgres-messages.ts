import type { Part } from "./bytes.ts";

/** One message of PostgreSQL's protocol as it should be: its type, its length, its content. */
export function message(type: string, contentHex: string): Part {
  return { hex: hexOf(type) + int32(contentHex.length / 2 + 4) + contentHex };
}

export const hexOf = (text: string): string => Buffer.from(text, "utf8").toString("hex");
export const int32 = (value: number): string => (value >>> 0).toString(16).padStart(8, "0");
const int16 = (value: number): string => value.toString(16).padStart(4, "0");

export const authenticationOk = message("R", int32(0));
export const readyForQuery = message("Z", hexOf("I"));
export const parsedAndBound: readonly Part[] = [message("1", ""), message("2", "")];
export const complete = (tag: string): Part => message("C", `${hexOf(tag)}00`);

/** Columns of type text. */
export function rowDescription(names: readonly string[]): Part {
  const columns = names.map((name) => `${hexOf(name)}00${"00".repeat(6)}${int32(25)}ffff${int32(-1)}0000`);
  return message("T", int16(names.length) + columns.join(""));
}

export function dataRow(values: readonly string[]): Part {
  return message(
    "D",
    int16(values.length) + values.map((value) => int32(value.length) + hexOf(value)).join(""),
  );
}

/** What a server says until a query comes: to the start-up message, to `SET`. */
export const welcome: readonly (readonly Part[])[] = [
  [authenticationOk, readyForQuery],
  [complete("SET"), readyForQuery],
];
