import { setImmediate as nextTurn } from "node:timers/promises";
import { readJson } from "../domain/read-json.ts";

/** Less is parsed where the driver finds it, in one turn of the event loop: a socket may bring two megabytes at once. */
const maxLengthInATurn = 100_000;
/** Not worth counting. */
const slightLength = 100;

/** `json` and `jsonb`, by their numbers in PostgreSQL's catalogue. */
const JSON_TYPES = [114, 3802];

/** A value that was not parsed yet. */
class Unread {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

interface Rows {
  readonly rows: Record<string, unknown>[];
}
type Callback = (error: Error | undefined, result: Rows) => void;
type Query = (...args: unknown[]) => unknown;

let lengthInThisTurn = 0;

function fitsIntoThisTurn(length: number): boolean {
  if (length < slightLength) return true;
  if (lengthInThisTurn === 0) setImmediate(() => (lengthInThisTurn = 0));
  lengthInThisTurn += length;
  return lengthInThisTurn <= maxLengthInATurn;
}

/** What is needed of a connection of the driver. */
interface Connection {
  query: Query;
  setTypeParser(oid: number, parse: (text: string) => unknown): void;
}

/**
 * The driver parses JSON where a row comes in, however large it is and however many rows come together. On this connection
 * large values, and many of them, are parsed part by part before anybody gets the rows, and others have their turn in between.
 */
export function readLargeJsonInTurn(client: unknown): void {
  const connection = client as Connection;
  let isWaiting = false;
  for (const oid of JSON_TYPES) {
    connection.setTypeParser(oid, (text) => {
      if (fitsIntoThisTurn(text.length)) return JSON.parse(text);
      isWaiting = true;
      return new Unread(text);
    });
  }
  const query = connection.query.bind(connection);
  const read = (result: Rows): Rows | Promise<Rows> => {
    if (!isWaiting) return result;
    isWaiting = false;
    return readRows(result);
  };
  connection.query = (...args) => {
    const callback = args.at(-1);
    if (typeof callback === "function")
      return query(...args.slice(0, -1), answerTo(callback as Callback, read));
    const answer = query(...args);
    return answer instanceof Promise ? answer.then(read) : answer;
  };
}

function answerTo(callback: Callback, read: (result: Rows) => Rows | Promise<Rows>): Callback {
  return (error, result) => {
    if (error) callback(error, result);
    else pass(read(result), callback);
  };
}

function pass(rows: Rows | Promise<Rows>, callback: Callback): void {
  if (!(rows instanceof Promise)) return callback(undefined, rows);
  rows.then(
    (all) => callback(undefined, all),
    (error: Error) => callback(error, { rows: [] }),
  );
}

async function readRows(result: Rows): Promise<Rows> {
  let length = 0;
  for (const row of result.rows) {
    for (const name in row) {
      const value = row[name];
      if (!(value instanceof Unread)) continue;
      row[name] = await readInTurn(value.text);
      length += value.text.length;
      if (length < maxLengthInATurn) continue;
      length = 0;
      await nextTurn();
    }
  }
  return result;
}

async function readInTurn(text: string): Promise<unknown> {
  const work = readJson(text);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await nextTurn();
  }
}
