import type { en } from "./en.ts";

export type TextKey = keyof typeof en;
/** Every text in one language: leaving one out does not compile. */
export type Dictionary = Readonly<Record<TextKey, string>>;
/** A part of them in another language. */
export type Translated<Part> = Readonly<Record<keyof Part, string>>;
export type Values = Readonly<Record<string, string | number>>;
/** Says a text in the language of the reader. */
export type Say = (key: TextKey, values?: Values) => string;

/** A text with its values in their places. */
export function format(text: string, values: Values): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
