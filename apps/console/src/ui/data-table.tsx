import type { ReactNode } from "react";
import { TableFrame } from "./page.tsx";

export interface Column<Item> {
  readonly name: string;
  /** For the column of buttons: its name is only heard. */
  readonly hidden?: boolean;
  readonly className?: string;
  readonly cell: (item: Item) => ReactNode;
}

/** Things of one kind, one a row. */
export function DataTable<Item>(props: {
  label: string;
  columns: readonly Column<Item>[];
  items: readonly Item[];
  keyOf: (item: Item) => string;
}): ReactNode {
  const { label, columns, items, keyOf } = props;
  return (
    <TableFrame label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, hidden }) => (
              <th key={name} scope="col">
                <span className={hidden ? "visually-hidden" : undefined}>{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={keyOf(item)}>
              {columns.map(({ name, className, cell }) => (
                <td key={name} className={className}>
                  {cell(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}
