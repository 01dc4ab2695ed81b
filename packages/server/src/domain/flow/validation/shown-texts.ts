import { nearestName } from "@millrace/contract/documents/nearest-name";

/** Of faults, and of warnings. */
export const maxTexts = 100;

/** Enough to begin with: each answer to a trigger carries them. */
export function someOf(texts: readonly string[]): readonly string[] {
  if (texts.length <= maxTexts) return texts;
  return [...texts.slice(0, maxTexts), `There are ${texts.length - maxTexts} more.`];
}

/** Looks for the names that were probably meant, for as many faults as are shown. */
export class NearNames {
  #left = maxTexts;

  of(name: string, names: Iterable<string>): string | undefined {
    this.#left -= 1;
    return this.#left >= 0 ? nearestName(name, names) : undefined;
  }
}
