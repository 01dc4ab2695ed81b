import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openOutside, type Outside } from "./outside.ts";
import { errorOf, outputOf } from "./run-node.ts";

let outside: Outside;
let proxy: Server;

/** The tests' PostgreSQL listens on a Unix socket; this door makes it a database somewhere on the network. */
beforeAll(async () => {
  outside = openOutside();
  const { host, port = 5432 } = inject("postgres");
  proxy = createServer((client) => {
    const database = connect(`${host}/.s.PGSQL.${port}`);
    client.on("error", () => database.destroy()).on("close", () => database.destroy());
    database.on("error", () => client.destroy()).on("close", () => client.destroy());
    client.pipe(database).pipe(client);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
});

afterAll(async () => {
  await outside.close();
  proxy.close();
});

function parts(change: (url: URL) => void = () => {}) {
  const { user, password, database } = inject("postgres");
  const url = new URL(`postgres://127.0.0.1:${(proxy.address() as AddressInfo).port}/${database}`);
  url.username = String(user);
  url.password = String(password);
  change(url);
  const secret = { connectionString: url.href };
  return {
    services: outside,
    credential: { id: "cred_db", type: "postgres", allowedHosts: [], allowUnencrypted: true, secret },
  };
}

describe("sql", () => {
  it("answers rows as JSON, with values that survive the way", async () => {
    const query = `SELECT $1::text AS name, $2::int AS n, $3::jsonb AS doc, 9007199254740993 AS big, 5::bigint AS small,
      1.50::numeric AS price, '2030-01-02'::date AS day, '2030-01-02T03:04:05Z'::timestamptz AS at, '\\xff00'::bytea AS bytes,
      NULL AS nothing, ARRAY[1,2] AS list`;
    const output = await outputOf("sql", { query, parameters: ["O'Hara; DROP", 7, { a: [1] }] }, parts());
    expect(output).toEqual({
      rowCount: 1,
      rows: [
        {
          name: "O'Hara; DROP",
          n: 7,
          doc: { a: [1] },
          big: "9007199254740993",
          small: 5,
          price: "1.50",
          day: "2030-01-02",
          at: "2030-01-02T03:04:05.000Z",
          bytes: "/wA=",
          nothing: null,
          list: [1, 2],
        },
      ],
    });
  });

  it("counts the rows that a statement has changed", async () => {
    const query = "CREATE TEMP TABLE t AS SELECT generate_series(1, 3)";
    expect(await outputOf("sql", { query }, parts())).toEqual({ rows: [], rowCount: 3 });
  });

  it.each([
    ["more than one statement", "SELECT 1; SELECT 2", "QueryFailed", /multiple commands/],
    ["an unknown column", "SELECT nope", "QueryFailed", /"nope" does not exist \(SQLSTATE 42703\)/],
    ["too many rows", "SELECT generate_series(1, 20000)", "ResultTooLarge", /10,000 rows/],
    ["too many bytes in one value", "SELECT repeat('x', 20000000)", "ResultTooLarge", /5 MB/],
    [
      "a canceled statement",
      "SELECT pg_cancel_backend(pg_backend_pid()), pg_sleep(30)",
      "QueryTimeout",
      /60 s/,
    ],
    [
      "a lost connection",
      "SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(30)",
      "DatabaseBusy",
      /57P01/,
    ],
  ])("tells the author of %s", async (_what, query, name, message) => {
    const error = await errorOf("sql", { query }, parts());
    expect(error.name).toBe(name);
    expect(error.message).toMatch(message);
  });

  it("takes at most 60 seconds for a statement", async () => {
    const { rows } = await outputOf("sql", { query: "SHOW statement_timeout" }, parts());
    expect(rows).toEqual([{ statement_timeout: "1min" }]);
  });

  it.each([
    ["a wrong password", (url: URL) => void (url.password = "wrong"), "DatabaseRefused"],
    [
      "a stray %",
      (url: URL) => void (url.href = url.href.replace("postgres://", "postgres://%zz")),
      "CredentialInvalid",
    ],
    ["no user", (url: URL) => void (url.username = ""), "CredentialInvalid"],
    ["another protocol", (url: URL) => void (url.href = "http://127.0.0.1/"), "CredentialInvalid"],
    ["an unknown sslmode", (url: URL) => void (url.search = "?sslmode=maybe"), "CredentialInvalid"],
    ["a server without TLS", (url: URL) => void (url.search = "?sslmode=require"), "DatabaseUnavailable"],
  ])("refuses %s", async (_what, change, name) => {
    expect((await errorOf("sql", { query: "SELECT 1" }, parts(change))).name).toBe(name);
  });

  it("reads no file of the service that the connection string names", async () => {
    const { rowCount } = await outputOf(
      "sql",
      { query: "SELECT 1" },
      parts((url) => void (url.search = "?sslrootcert=/nowhere&sslkey=/nowhere")),
    );
    expect(rowCount).toBe(1);
  });

  it("is canceled at the server and rolled back when it is aborted", async () => {
    await outputOf("sql", { query: "CREATE TABLE canceled (n int)" }, parts());
    const controller = new AbortController();
    const query = "WITH added AS (INSERT INTO canceled VALUES (1)) SELECT pg_sleep(30)";
    const connected = once(proxy, "connection");
    const failure = errorOf("sql", { query }, { ...parts(), signal: controller.signal });
    const [socket] = (await connected) as [Socket];
    const closed = once(socket, "close");
    const active = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE query = $1 AND state = 'active'";
    const running = async () =>
      (await outputOf("sql", { query: active, parameters: [query] }, parts()))["rows"];
    await expect.poll(running).toEqual([{ n: 1 }]);
    controller.abort(new Error("canceled"));
    expect((await failure).message).toBe("canceled");
    await closed;
    expect(await running()).toEqual([{ n: 0 }]);
    expect(await outputOf("sql", { query: "SELECT * FROM canceled" }, parts())).toEqual({
      rows: [],
      rowCount: 0,
    });
  });

  it("has not happened when its result is refused", async () => {
    await outputOf("sql", { query: "CREATE TABLE refused (n int)" }, parts());
    const query = "INSERT INTO refused SELECT generate_series(1, 10001) RETURNING n";
    expect((await errorOf("sql", { query }, parts())).name).toBe("ResultTooLarge");
    expect(await outputOf("sql", { query: "SELECT * FROM refused" }, parts())).toEqual({
      rows: [],
      rowCount: 0,
    });
  });

  it.each(["", "VACUUM", "COPY (SELECT 1) TO STDOUT"])(
    "takes a statement without a result: %j",
    async (query) => {
      const { rows } = await outputOf("sql", { query: query || "--" }, parts());
      expect(rows).toEqual([]);
    },
  );

  it("serves many statements of one credential at once", async () => {
    const answers = Array.from({ length: 30 }, (_, n) =>
      outputOf("sql", { query: "SELECT $1::int AS n", parameters: [n] }, parts()),
    );
    const outputs = await Promise.all(answers);
    expect(outputs.map(({ rows }) => rows)).toEqual(answers.map((_, n) => [{ n }]));
  });
});
