/** The one rule of all conditions; the words are quoted in the node reference. */
export const TRUTH_RULE =
  "`null`, `false`, `0`, an empty text, list or object and the text `false` count as false";

export function isTrue(value: unknown): boolean {
  if (typeof value === "string") {
    const word = value.trim();
    return value !== "" && !(word.length === 5 && word.toLowerCase() === "false");
  }
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}
