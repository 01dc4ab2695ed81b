/** What a column of a statement's answer holds. A test compares it with what PostgreSQL says of the statement. */
export interface Column<Value> {
  /** As PostgreSQL calls it. */
  readonly type: string;
  readonly nullable: boolean;
  /** All that a text can be. */
  readonly values?: readonly string[];
  /** More is promised than the schema can show. */
  readonly assumed?: true;
  /** What the driver makes of it; for the compiler alone. */
  readonly value?: Value;
}

export const text: Column<string> = column("text");
export const smallint: Column<number> = column("smallint");
export const integer: Column<number> = column("integer");
/** Ours never pass 2^53. */
export const bigint: Column<number> = column("bigint");
export const float: Column<number> = column("double precision");
/** The driver leaves it a text, so that no digit is lost. */
export const numeric: Column<string> = column("numeric");
export const boolean: Column<boolean> = column("boolean");
export const timestamp: Column<Date> = column("timestamp with time zone");
export const bytes: Column<Buffer> = column("bytea");
export const uuid: Column<string> = column("uuid");
export const texts: Column<readonly string[]> = column("text[]");
export const integers: Column<readonly number[]> = column("integer[]");

/** PostgreSQL knows nothing of what is inside: that is the word of whoever writes it. */
export function json<Value>(): Column<Value> {
  return column("json");
}

export function jsons<Value>(): Column<readonly Value[]> {
  return column("json[]");
}

export function jsonb<Value>(): Column<Value> {
  return column("jsonb");
}

export function oneOf<const Value extends string>(...values: readonly Value[]): Column<Value> {
  return { ...column<Value>("text"), values };
}

export function orNull<Value>(inner: Column<Value>): Column<Value | null> {
  return { ...inner, nullable: true } as Column<Value | null>;
}

/** For what is never NULL, or has fewer values, for a reason that is not in the schema: the statement's conditions, say. */
export function assumed<Value>(inner: Column<Value>): Column<Value> {
  return { ...inner, assumed: true };
}

function column<Value>(type: string): Column<Value> {
  return { type, nullable: false };
}
