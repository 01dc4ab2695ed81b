import type { ReactNode } from "react";
import { TableFrame } from "./page.tsx";
import styles from "./data-table.module.css";

export interface Column<Item> {
  readonly name: string;
  /** For the column of buttons: its name is only heard. */
  readonly hidden?: boolean;
  readonly className?: string;
  /** What a row is called: on a phone it stands above the rest, without its label. */
  readonly title?: boolean;
  /** Needs the whole width of a phone. */
  readonly wide?: boolean;
  /** Nothing where there is nothing to say: a dash, and on a phone no line at all. */
  readonly cell: (item: Item) => ReactNode;
}

/** Things of one kind, one a row; on a phone one below the other. Roles are said because boxes would lose them. */
export function DataTable<Item>(props: {
  label: string;
  columns: readonly Column<Item>[];
  items: readonly Item[];
  keyOf: (item: Item) => string;
}): ReactNode {
  const { label, columns, items, keyOf } = props;
  return (
    <TableFrame label={label}>
      <table role="table" className={styles.table}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ name, hidden }) => (
              <th key={name} role="columnheader" scope="col">
                <span className={hidden ? "visually-hidden" : undefined}>{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {items.map((item) => (
            <tr key={keyOf(item)} role="row">
              {columns.map(({ name, hidden, title, wide, className, cell }) => {
                const content = cell(item);
                return (
                  <td
                    key={name}
                    role="cell"
                    className={className}
                    data-label={hidden ? undefined : name}
                    data-title={title}
                    data-wide={wide}
                    data-empty={content == null || content === false || content === "" || undefined}
                  >
                    <div>{content}</div>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}
