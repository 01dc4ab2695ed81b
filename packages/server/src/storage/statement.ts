import type { Column } from "./columns.ts";

export type Columns = Readonly<Record<string, Column<unknown>>>;

export type RowOf<C extends Columns> = {
  readonly [Name in keyof C]: C[Name] extends Column<infer Value> ? Value : never;
};

declare const row: unique symbol;

type NoColumns = { readonly [row]?: never };

/** A statement with its parameters, as the driver takes it. What rows it brings is for the compiler alone. */
export interface Call<R> {
  readonly name?: string | undefined;
  readonly text: string;
  readonly values: unknown[];
  readonly [row]: R;
}

/** A pool, or a client of the driver: what it answers has the rows that were declared. */
export interface Queryable {
  query<R>(call: Call<R>): Promise<{ readonly rows: R[]; readonly rowCount: number | null }>;
}

export type Statement<R> = (values?: unknown[]) => Call<R>;

/** A row of a statement's answer. */
export type Row<S> = S extends Statement<infer R> ? R : never;

export interface Declaration {
  /** Named ones are planned once a connection. */
  readonly name?: string | undefined;
  readonly text: string;
  readonly columns: Columns;
}

const all: Declaration[] = [];
let ended = false;

/**
 * Declares a statement and the columns of its answer, once and where its module is loaded: a test describes every one
 * of them to PostgreSQL. What has no columns returns no rows worth reading.
 */
export function statement<const C extends Columns = NoColumns>({
  name,
  text,
  columns,
}: {
  readonly name?: string;
  readonly text: string;
  readonly columns?: C;
}): Statement<RowOf<C>> {
  if (ended) throw new Error("A statement is declared where its module is loaded, not for every query.");
  all.push({ name, text, columns: columns ?? {} });
  return (values = []) => ({ name, text, values }) as Call<RowOf<C>>;
}

/** The text of a file, with any number of statements: it returns nothing, and nothing is known of it before it runs. */
export function script(text: string, limits: { readonly query_timeout: number }): Call<never> {
  return { text, values: [], ...limits } as unknown as Call<never>;
}

/** For what is done to every table there is: its text is known only when it is asked for. */
export function tableCall<R = never>(text: string, values: unknown[] = []): Call<R> {
  return { text, values } as unknown as Call<R>;
}

/** Those of all modules that were loaded so far. */
export function declaredStatements(): readonly Declaration[] {
  return all;
}

/** Called before the first query: from here on there are no others. */
export function endDeclarations(): void {
  ended = true;
}
