import { encodeCursor, type ListPosition, type Page, type PageRequest } from "./cursor.ts";

/** A cursor holds a moment and an id; where the place in a list is a number, the moment is that number. */
export function toNumber({ after, before }: PageRequest): number | undefined {
  return (after ?? before)?.createdAt.getTime();
}

function fromNumber(number: number): ListPosition {
  return { createdAt: new Date(number), id: "number" };
}

/** The cursors of a page that was read in the direction of the request, and whether that direction goes on. */
export function cursorsOf(
  { list, after, before }: PageRequest,
  { first, last, hasMore }: { readonly first: number; readonly last: number; readonly hasMore: boolean },
): Pick<Page<never>, "next" | "prev"> {
  const hasNext = before !== undefined || hasMore;
  const hasPrevious = before === undefined ? after !== undefined : hasMore;
  return {
    ...(hasNext && { next: encodeCursor(list, fromNumber(last)) }),
    ...(hasPrevious && { prev: encodeCursor(list, fromNumber(first)) }),
  };
}
