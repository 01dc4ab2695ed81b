import type { Texts } from "../locales.ts";

export interface ErrorEntry {
  readonly status: number;
  readonly error: Texts;
  readonly message: Texts;
}
