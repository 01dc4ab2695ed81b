// oxlint-disable-next-line no-restricted-imports -- the driver's table of types, without a connection
import { types } from "pg";

type ReadText = (text: string) => unknown;

const { BYTEA, INT8, DATE, TIMESTAMP, TIMESTAMPTZ, INTERVAL } = types.builtins;

const OWN_READERS = new Map<number, ReadText>([
  [BYTEA, (text) => Buffer.from(text.slice(2), "hex").toString("base64")],
  [INT8, (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : text)],
  // A date has no zone; the driver would move it to midnight of the machine's own.
  [DATE, (text) => text],
  [TIMESTAMP, (text) => text.replace(" ", "T")],
  [TIMESTAMPTZ, (text) => readInstant(text)],
  [INTERVAL, (text) => text],
]);

/** How a column's text becomes JSON; what is not listed is read as the driver does, `numeric` stays text. */
export function readPostgresValue(typeId: number): ReadText {
  const driverReader = types.getTypeParser as (typeId: number, format: "text") => ReadText;
  return OWN_READERS.get(typeId) ?? driverReader(typeId, "text");
}

function readInstant(text: string): unknown {
  const instant = types.getTypeParser(TIMESTAMPTZ, "text")(text) as unknown;
  return instant instanceof Date ? instant.toISOString() : text;
}
