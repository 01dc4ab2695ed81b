import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Page as ListPage } from "../../api/runs.ts";
import { useT } from "../../texts/texts.tsx";
import { Empty, ErrorNote, Loading } from "../../ui/notes.tsx";
import { Page, TableFrame } from "../../ui/page.tsx";

interface Column<Item> {
  readonly name: string;
  /** For the column of buttons: its name is only heard. */
  readonly hidden?: boolean;
  readonly cell: (item: Item) => ReactNode;
}

interface Props<Item> {
  readonly title: string;
  readonly list: UseInfiniteQueryResult<InfiniteData<ListPage<Item>>>;
  readonly columns: readonly Column<Item>[];
  readonly keyOf: (item: Item) => string;
  readonly empty: { readonly title: string; readonly text?: string; readonly command?: string };
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** A page that is one list: what it holds, what can be done with each thing, and more on request. */
export function ManagedPage<Item>(props: Props<Item>): ReactNode {
  return (
    <Page title={props.title} actions={props.actions}>
      {props.children}
      <ManagedList {...props} />
    </Page>
  );
}

export function ManagedList<Item>({ title, list, columns, keyOf, empty }: Props<Item>): ReactNode {
  const t = useT();
  const items = list.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <>
      {list.error && <ErrorNote error={list.error} retry={() => void list.refetch()} />}
      {list.isPending && <Loading />}
      {list.data && items.length === 0 && (
        <Empty title={empty.title} {...(empty.command && { command: empty.command })}>
          {empty.text}
        </Empty>
      )}
      {items.length > 0 && (
        <TableFrame label={title}>
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
                  {columns.map(({ name, cell }) => (
                    <td key={name}>{cell(item)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
      {list.hasNextPage && (
        <div>
          <button type="button" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t("action.more")}
          </button>
        </div>
      )}
    </>
  );
}
