import type { PageRequest } from "../domain/cursor.ts";
import { type Call, type Columns, type RowOf, statement } from "./statement.ts";

/**
 * A list, newest first by (created_at, id), in either direction from a cursor, one row more than asked for. `text` ends
 * with its condition and has one parameter.
 */
export function keysetList<const C extends Columns>({
  text,
  columns,
}: {
  readonly text: string;
  readonly columns: C;
}): (parameter: unknown, page: PageRequest) => Call<RowOf<C>> {
  const first = statement({ text: `${text} ORDER BY created_at DESC, id DESC LIMIT $2`, columns });
  const after = statement({
    text: `${text} AND (created_at, id) < ($3::timestamptz, $4) ORDER BY created_at DESC, id DESC LIMIT $2`,
    columns,
  });
  const before = statement({
    text: `${text} AND (created_at, id) > ($3::timestamptz, $4) ORDER BY created_at, id LIMIT $2`,
    columns,
  });
  return (parameter, page) => {
    const position = page.after ?? page.before;
    if (!position) return first([parameter, page.size + 1]);
    const list = page.before ? before : after;
    return list([parameter, page.size + 1, position.createdAt, position.id]);
  };
}
