import type { Column } from "../../../src/storage/columns.ts";
import type { Declaration } from "../../../src/storage/statement.ts";
import type { DescribedColumn } from "./describe-statement.ts";

/** Where a statement is not what it is declared to be. */
export function complaintsAbout(
  declared: Declaration["columns"],
  described: readonly DescribedColumn[],
): string[] {
  const names = Object.keys(declared).toSorted();
  const actual = described.map(({ name }) => name).toSorted();
  if (names.join() !== actual.join())
    return [`declares (${names.join(", ")}) but returns (${actual.join(", ")})`];
  return described.flatMap((column) =>
    [...columnComplaints(declared[column.name]!, column)].map((complaint) => `"${column.name}" ${complaint}`),
  );
}

function* columnComplaints(declared: Column<unknown>, actual: DescribedColumn): Generator<string> {
  if (declared.type !== actual.type) yield `is ${actual.type} and declared ${declared.type}`;
  if (declared.nullable && actual.neverNull) yield "is never NULL, and declared so that it may be";
  const gaps = [...promisesBeyondSchema(declared, actual)];
  if (!declared.assumed) yield* gaps;
  else if (gaps.length === 0) yield "is assumed to be what the schema guarantees anyway";
}

function* promisesBeyondSchema(declared: Column<unknown>, actual: DescribedColumn): Generator<string> {
  if (!declared.nullable && !actual.neverNull) yield "may be NULL for all the schema knows";
  if (!declared.values) return;
  const promised = new Set(declared.values);
  if (!actual.values) yield "may be any text for all the schema knows";
  else if (!actual.values.isSubsetOf(promised)) yield `may be any of ${[...actual.values].join(", ")}`;
  else if (!promised.isSubsetOf(actual.values)) yield `can only be ${[...actual.values].join(", ")}`;
}
