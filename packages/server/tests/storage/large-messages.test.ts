import { createServer } from "node:net";
import { once } from "node:events";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { JsonText } from "../../src/domain/json-text.ts";
import { WholeMessages } from "../../src/storage/large-messages.ts";
import { createPool } from "../../src/storage/pool.ts";
import { textArray } from "../../src/storage/text-array.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

const MEGABYTE = 1_000_000;
const written = (text: string) =>
  new JsonText([Buffer.from(text.slice(0, 60_000)), Buffer.from(text.slice(60_000))]);
const isFree = ({ pieces }: JsonText) => pieces.every(({ byteLength }) => byteLength === 0);

describe("long texts", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase(2);
  });
  afterAll(() => database.drop());

  const texts = [
    "ğ".repeat(MEGABYTE),
    "a",
    null,
    "",
    `{"q": "${"'\\\"".repeat(100_000)}"}`,
    "ü".repeat(20_000),
  ];
  const asPieces = texts.map((text, at) => (text === null || at % 2 === 1 ? text : written(text)));

  it.each([
    ["texts", () => textArray(texts)],
    ["what was written in pieces", () => textArray(asPieces)],
  ])("come to the database and back as they are: %s", async (_, make) => {
    const { rows } = await database.pool.query(
      "SELECT $1::integer AS before, $2::text[] AS texts, $3::text AS none, $4::text AS after, $5::bytea AS bytes",
      [1, make(), null, "ğ", Buffer.from([0, 255])],
    );
    expect(rows).toEqual([{ before: 1, texts, none: null, after: "ğ", bytes: Buffer.from([0, 255]) }]);
  });

  it("in named statements and beside other queries of the same connection too", async () => {
    const statement = { name: "long", text: "SELECT $1::text[] AS texts", values: [textArray(texts)] };
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        at % 2 ? database.pool.query("SELECT $1::integer AS at", [at]) : database.pool.query(statement),
      ),
    );
    expect(answers.map(({ rows }) => rows[0])).toEqual(
      [0, 1, 2, 3, 4, 5].map((at) => (at % 2 ? { at } : { texts })),
    );
  });

  it("are sent without a copy of all of them", async () => {
    const concat = vi.spyOn(Buffer, "concat");
    const allocated = vi.spyOn(Buffer, "allocUnsafe");
    try {
      await database.pool.query("SELECT length(($1::text[])[1])", [
        textArray([written("x".repeat(MEGABYTE))]),
      ]);
      const longest = Math.max(...concat.mock.results.map(({ value }) => (value as Buffer).length));
      expect(longest).toBeLessThan(MEGABYTE / 10);
      expect(Math.max(0, ...allocated.mock.calls.map(([bytes]) => bytes))).toBeLessThan(MEGABYTE / 2);
    } finally {
      concat.mockRestore();
      allocated.mockRestore();
    }
  });

  it("give their memory back once they were sent, and alone or in a list", async () => {
    const [alone, listed] = [written("1".repeat(MEGABYTE)), written("2".repeat(MEGABYTE))];
    await database.pool.query("SELECT cardinality($1::text[])", [
      textArray([alone, JsonText.list([listed])]),
    ]);
    alone.free();
    listed.free();
    expect([isFree(alone), isFree(listed)]).toEqual([true, true]);
  });

  it("can be sent again after a statement that failed", async () => {
    const text = written(`"${"1".repeat(MEGABYTE)}"`);
    await expect(database.pool.query("SELECT ($1::text[])[1]::integer", [textArray([text])])).rejects.toThrow(
      /integer/,
    );
    const { rows } = await database.pool.query("SELECT ($1::text[])[1]::json AS value", [textArray([text])]);
    expect(rows).toEqual([{ value: "1".repeat(MEGABYTE) }]);
  });
});

it("what a socket still sends is kept, whoever has stored it meanwhile", async () => {
  // Takes connections, lets clients in, and reads nothing of what they send then.
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.pause();
      socket.write(Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 0, 90, 0, 0, 0, 5, 73]));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const connection = { host: "127.0.0.1", port, user: "u", database: "d", password: "p" };
  const pool = createPool({ connection, size: 1, applicationName: "test", answerTimeoutMs: 300 });
  const [alone, listed] = [written("1".repeat(8 * MEGABYTE)), written("2".repeat(8 * MEGABYTE))];
  await expect(pool.query("SELECT $1", [textArray([alone, JsonText.list([listed])])])).rejects.toThrow(
    /timeout/,
  );
  alone.free();
  listed.free();
  expect([isFree(alone), isFree(listed)]).toEqual([false, false]);
  server.close();
  await pool.end();
});

describe("messages that come in", () => {
  const message = (length: number, at: number) => {
    const bytes = Buffer.alloc(5 + length, at % 256);
    bytes[0] = at % 2 ? 68 : 84;
    bytes.writeInt32BE(length + 4, 1);
    return bytes;
  };
  const lengths = fc.array(fc.oneof(fc.nat(20), fc.nat(70_000), fc.integer({ min: 99_000, max: 400_000 })), {
    maxLength: 8,
  });

  it("are passed on to the byte, and large ones whole, however they are cut", () => {
    fc.assert(
      fc.property(
        lengths,
        fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1, maxLength: 20 }),
        (all, cuts) => {
          const messages = all.map(message);
          const stream = Buffer.concat(messages);
          const passed: Buffer[] = [];
          const whole = new WholeMessages((bytes) => passed.push(Buffer.from(bytes)));
          for (let from = 0, at = 0; from < stream.length; at += 1) {
            const to = from + cuts[at % cuts.length]!;
            whole.push(stream.subarray(from, to));
            from = to;
          }
          const known = Buffer.concat(passed);
          expect(stream.length - known.length).toBeLessThan(5);
          expect(known.equals(stream.subarray(0, known.length))).toBe(true);
          // One that came in a single piece need not be copied.
          const large = messages.filter(({ length }) => length >= 100_000 && length > Math.max(...cuts) + 5);
          for (const one of large) expect(passed.some((bytes) => bytes.equals(one))).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("give the memory of large rows back, and keep that of other messages", () => {
    const passed: Buffer[] = [];
    const whole = new WholeMessages((bytes) => passed.push(bytes));
    for (const one of [message(200_000, 1), message(200_000, 2)]) {
      whole.push(one.subarray(0, 100));
      whole.push(one.subarray(100));
    }
    expect(passed.map(({ byteLength }) => byteLength)).toEqual([0, 200_005]);
  });
});
