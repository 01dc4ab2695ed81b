import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Page as ListPage } from "../../api/runs.ts";
import { useT } from "../../texts/texts.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { Empty, ErrorNote, Loading } from "../../ui/notes.tsx";
import { Page } from "../../ui/page.tsx";

interface Props<Item> {
  readonly title: string;
  readonly list: UseInfiniteQueryResult<InfiniteData<ListPage<Item>>>;
  readonly columns: readonly Column<Item>[];
  readonly keyOf: (item: Item) => string;
  readonly empty: { readonly title: string; readonly text?: string; readonly command?: string };
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
  /** Below the list. */
  readonly after?: ReactNode;
}

/** A page that is one list: what it holds, what can be done with each thing, and more on request. */
export function ManagedPage<Item>(props: Props<Item>): ReactNode {
  return (
    <Page title={props.title} actions={props.actions}>
      {props.children}
      <ManagedList {...props} />
      {props.after}
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
      {items.length > 0 && <DataTable label={title} columns={columns} items={items} keyOf={keyOf} />}
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
