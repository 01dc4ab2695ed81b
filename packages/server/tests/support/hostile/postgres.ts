import type { Socket } from "node:net";
import { drip, flood, startHostileServer, type HostileServer } from "./hostile-server.ts";

/** A message of PostgreSQL's protocol; `length` may lie. */
export function pgMessage(
  code: string,
  body: Uint8Array | string = "",
  length = Buffer.byteLength(body) + 4,
): Buffer {
  const head = Buffer.alloc(5);
  head.write(code, 0, "latin1");
  head.writeUInt32BE(length >>> 0, 1);
  return Buffer.concat([head, Buffer.from(body as string)]);
}

function int16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, at) => bytes.writeUInt16BE(value & 0xffff, at * 2));
  return bytes;
}

function int32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => bytes.writeUInt32BE(value >>> 0, at * 4));
  return bytes;
}

const authOk = pgMessage("R", int32(0));
export const ready = pgMessage("Z", "I");
const keyData = pgMessage("K", int32(1, 2));
const setDone = Buffer.concat([pgMessage("C", "SET\0"), ready]);

export function rowDescription(columns: readonly { name: string; typeId: number }[], count = columns.length) {
  const fields = columns.map(({ name, typeId }) =>
    Buffer.concat([
      Buffer.from(`${name}\0`),
      int32(0),
      int16(0),
      int32(typeId),
      int16(4),
      int32(-1),
      int16(0),
    ]),
  );
  return pgMessage("T", Buffer.concat([int16(count), ...fields]));
}

export function dataRow(...values: string[]): Buffer {
  const fields = values.flatMap((value) => [int32(Buffer.byteLength(value)), Buffer.from(value)]);
  return pgMessage("D", Buffer.concat([int16(values.length), ...fields]));
}

export interface HostilePostgresScript {
  /** Instead of the greeting. */
  readonly onStartup?: (socket: Socket) => void;
  /** Instead of the statement's result; the greeting and the setting before it go well. */
  readonly onStatement?: (socket: Socket) => void;
}

/** A server that speaks PostgreSQL up to where the script takes over. */
export function hostilePostgres(script: HostilePostgresScript): Promise<HostileServer> {
  return startHostileServer((socket) => {
    let step = 0;
    const steps = [
      script.onStartup ?? (() => socket.write(Buffer.concat([authOk, keyData, ready]))),
      () => socket.write(setDone),
      script.onStatement ?? (() => {}),
    ];
    socket.on("data", () => {
      steps[step]?.(socket);
      step += 1;
    });
  });
}

const text = 25;
const column = rowDescription([{ name: "a", typeId: text }]);
const begun = Buffer.concat([pgMessage("1"), pgMessage("2"), column]);
const finished = Buffer.concat([pgMessage("C", "SELECT 1\0"), ready]);

/** Whole answers to the startup. */
export const startupAttacks: Record<string, (socket: Socket) => void> = {
  "an unknown authentication": (socket) => socket.write(pgMessage("R", int32(99))),
  "an authentication without a kind": (socket) => socket.write(pgMessage("R")),
  "every known authentication at once": (socket) =>
    socket.write(
      Buffer.concat([2, 3, 5, 6, 7, 8, 9, 10, 11, 12].map((kind) => pgMessage("R", int32(kind, 0)))),
    ),
  "a SASL list without an end": (socket) =>
    socket.write(pgMessage("R", Buffer.concat([int32(10), Buffer.from("SCRAM")]))),
  "a SASL exchange out of order": (socket) =>
    socket.write(pgMessage("R", Buffer.concat([int32(11), Buffer.from("r=x")]))),
  "a notice that is not terminated": (socket) => socket.write(pgMessage("N", "SERROR")),
  "a notice with an empty end": (socket) => socket.write(pgMessage("N", "S")),
  "an error that is not terminated": (socket) => socket.write(pgMessage("E", "SFATAL\0C")),
  "notices for ever": (socket) => flood(socket, authOk, pgMessage("N", "SNOTICE\0C00000\0Mx\0\0")),
  "parameters for ever": (socket) => flood(socket, authOk, pgMessage("S", "TimeZone\0UTC\0")),
  "an error field without end": (socket) =>
    flood(socket, pgMessage("E", "", 0x7fffffff), Buffer.alloc(65_536, "x")),
  "a frame of 2 GB": (socket) => flood(socket, pgMessage("S", "", 0x7ffffff0), Buffer.alloc(65_536)),
  "a frame of negative length": (socket) => flood(socket, authOk, pgMessage("S", "", -1)),
  "frames of no length": (socket) => flood(socket, authOk, pgMessage("S", "", 0)),
  "rows before the query": (socket) => socket.write(Buffer.concat([authOk, column, dataRow("x"), ready])),
  "an unknown message": (socket) => socket.write(Buffer.concat([authOk, pgMessage("?", "abc")])),
  "the greeting of another protocol": (socket) => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"),
  nothing: () => {},
  "one byte at a time": (socket) => drip(socket, () => "S", 10),
  "an end in the middle": (socket) => socket.end(authOk.subarray(0, 6)),
  "a reset": (socket) => void socket.resetAndDestroy(),
};

/** Whole answers to a statement. */
export const statementAttacks: Record<string, (socket: Socket) => void> = {
  "a row that is too short": (socket) =>
    socket.write(Buffer.concat([begun, pgMessage("D", Buffer.concat([int16(5), int32(1)])), finished])),
  "a field longer than its row": (socket) =>
    socket.write(
      Buffer.concat([begun, pgMessage("D", Buffer.concat([int16(1), int32(0x7ffffff0)])), finished]),
    ),
  "a row without a description": (socket) => socket.write(Buffer.concat([dataRow("x"), dataRow("y")])),
  "fewer columns than described": (socket) => socket.write(rowDescription([], 32_767)),
  "a column name without end": (socket) =>
    socket.write(pgMessage("T", Buffer.concat([int16(1), Buffer.from("aaaa")]))),
  "rows for ever": (socket) =>
    flood(socket, begun, Buffer.concat(Array.from({ length: 500 }, () => dataRow("x")))),
  "rows without columns for ever": (socket) =>
    flood(socket, begun, Buffer.concat(Array.from({ length: 500 }, () => dataRow()))),
  "32,767 columns, again and again": (socket) =>
    flood(socket, begun, rowDescription(Array.from({ length: 32_767 }, () => ({ name: "n", typeId: text })))),
  "one value of 2 GB": (socket) =>
    flood(socket, Buffer.concat([begun, pgMessage("D", int16(1), 0x7ffffff0)]), Buffer.alloc(65_536, "x")),
  "completions for ever": (socket) => flood(socket, begun, pgMessage("C", "SELECT 1\0")),
  "readiness for ever": (socket) => flood(socket, begun, ready),
  "portals that are suspended for ever": (socket) => flood(socket, begun, pgMessage("s")),
  "notifications for ever": (socket) =>
    flood(socket, begun, pgMessage("A", Buffer.concat([int32(1), Buffer.from("c\0p\0")]))),
  "a copy for ever": (socket) =>
    flood(
      socket,
      Buffer.concat([begun, pgMessage("H", Buffer.from([0, 0, 0]))]),
      pgMessage("d", "x".repeat(60_000)),
    ),
  "requests to copy for ever": (socket) => flood(socket, begun, pgMessage("G", Buffer.from([0, 0, 0]))),
  "an array nested 100,000 deep": (socket) =>
    socket.write(
      Buffer.concat([rowDescription([{ name: "a", typeId: 1009 }]), dataRow("{".repeat(100_000)), finished]),
    ),
  "JSON nested 100,000 deep": (socket) =>
    socket.write(
      Buffer.concat([
        rowDescription([{ name: "a", typeId: 114 }]),
        dataRow("[".repeat(100_000) + "]".repeat(100_000)),
        finished,
      ]),
    ),
  "JSON that is none": (socket) =>
    socket.write(Buffer.concat([rowDescription([{ name: "a", typeId: 114 }]), dataRow("{"), finished])),
  "a column called __proto__": (socket) =>
    socket.write(
      Buffer.concat([rowDescription([{ name: "__proto__", typeId: 114 }]), dataRow('{"x":1}'), finished]),
    ),
  "an error message of 4 MB": (socket) =>
    socket.write(pgMessage("E", `SERROR\0C42601\0M${"x".repeat(4_000_000)}\0\0`)),
  "a result without end": (socket) => socket.write(begun),
  "an end in the middle": (socket) => socket.end(begun),
  "one byte at a time": (socket) => drip(socket, () => "\0", 10),
};
