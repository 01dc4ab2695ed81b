/**
 * What stands in front of a record's values, as JSON: key, id, type, status and times. Taking a value out of JSON reads all of
 * it in PostgreSQL and fails on texts that it cannot decode, wherever they stand; quotes inside of texts are escaped, so
 * what follows the head is found by its name alone.
 */
export const RECORD_HEAD = `(split_part(record::text, ',"attempts":', 1) || '}')::json`;

/** JSON with a NUL or half a character in a text, which PostgreSQL keeps but cannot take apart. */
export function isUndecodable(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === "22P02" || code === "22P05";
}
