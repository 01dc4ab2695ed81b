// oxlint-disable-next-line no-restricted-imports -- types of the driver
import type { Connection, FieldDef } from "pg";
import { ForeignFault } from "./messages.ts";
import { readPostgresValue } from "./postgres-values.ts";

const maxRows = 10_000;
export const maxResultBytes = 5_000_000;

interface Column {
  readonly name: string;
  readonly read: (text: string) => unknown;
}

/**
 * One statement, in the form in which the driver asks for one. The extended protocol takes a single statement and puts
 * it into a transaction of its own, which commits when `Sync` is sent: here only after the whole result was read and
 * found within its limits. Whatever ends the connection before that rolls the statement back.
 */
export class Statement {
  readonly #text: string;
  readonly #parameters: readonly unknown[];
  readonly #finished = Promise.withResolvers<string>();
  #columns: readonly Column[] = [];
  #rows: string[] = [];
  #textLength = 0;
  #rowCount: number | undefined;
  /** The end of the transaction was asked for and is not yet known. */
  committing = false;
  /** Why the result was refused. */
  fault: ForeignFault | undefined;

  constructor(text: string, parameters: readonly unknown[]) {
    this.#text = text;
    this.#parameters = parameters;
  }

  /** `{rows, rowCount}` as JSON text. */
  get result(): Promise<string> {
    return this.#finished.promise;
  }

  /** The result is refused: nothing more is read, nothing is committed. */
  refuse(fault: ForeignFault): void {
    this.fault = fault;
    this.#rows = [];
    this.#finished.reject(fault);
  }

  submit(connection: Connection): void {
    const { stream } = connection as unknown as { stream: { cork(): void; uncork(): void } };
    stream.cork();
    connection.parse({ name: "", text: this.#text, types: [] }, true);
    connection.bind({ values: this.#parameters.map(asParameter) }, true);
    connection.describe({ type: "P", name: "" }, true);
    connection.execute({ portal: "", rows: "" }, true);
    connection.flush();
    stream.uncork();
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      read: readPostgresValue(dataTypeID),
    }));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.fault) return;
    if (this.#rows.length >= maxRows)
      return this.refuse(tooLarge("The query returned more than 10,000 rows. Add a LIMIT."));
    const text = this.#readRow(fields);
    this.#rows.push(text);
    this.#textLength += text.length + 1;
    if (this.#textLength > maxResultBytes) this.refuse(tooLarge());
  }

  handleCommandComplete({ text }: { text: string }, connection: Connection): void {
    // `INSERT 0 5`, `SELECT 5`, `CREATE TABLE`.
    const count = /(\d{1,15})$/.exec(text.slice(-16))?.[1];
    if (count !== undefined) this.#rowCount = Number(count);
    this.#commit(connection);
  }

  handleEmptyQuery(connection: Connection): void {
    this.#commit(connection);
  }

  handleReadyForQuery(): void {
    if (!this.committing) return this.refuse(outOfOrder());
    this.committing = false;
    if (this.fault) return;
    const rowCount = this.#rowCount ?? this.#rows.length;
    this.#finished.resolve(`{"rows":[${this.#rows.join(",")}],"rowCount":${rowCount}}`);
  }

  handleError(error: Error): void {
    this.#finished.reject(error);
  }

  handlePortalSuspended(): void {}

  handleCopyInResponse(connection: Connection): void {
    (connection as unknown as { sendCopyFail(reason: string): void }).sendCopyFail(
      "there is nothing to copy",
    );
  }

  handleCopyData(): void {}

  #commit(connection: Connection): void {
    if (this.committing) return this.refuse(outOfOrder());
    if (this.fault) return;
    this.committing = true;
    connection.sync();
  }

  #readRow(fields: readonly (string | null)[]): string {
    try {
      const row = Object.fromEntries(
        this.#columns.map(({ name, read }, at) => {
          const text = fields[at] ?? null;
          return [name, text === null ? null : read(text)];
        }),
      );
      return JSON.stringify(row);
    } catch {
      this.refuse(new ForeignFault("QueryFailed", "The database returned a value that cannot be read."));
      return "";
    }
  }
}

export function tooLarge(message = "The query returned more than 5 MB. Select less."): ForeignFault {
  return new ForeignFault("ResultTooLarge", message);
}

function outOfOrder(): ForeignFault {
  return new ForeignFault("DatabaseUnavailable", "The database does not follow PostgreSQL's protocol.");
}

/** Lists and objects go as JSON text, which PostgreSQL reads as json, jsonb or text; all else goes as text. */
function asParameter(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "object") return JSON.stringify(value);
  return typeof value === "string" ? value : String(value as number | boolean);
}
