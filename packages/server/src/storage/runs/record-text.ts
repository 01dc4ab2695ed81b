import type { JsonText } from "../../domain/json-text.ts";

/** A record of a node as it is stored; a large one brings what was written of it. */
export interface RecordToStore {
  readonly nodeKey: string;
  readonly written?: JsonText;
}

export function recordText(record: RecordToStore): string {
  return record.written?.text ?? JSON.stringify(record);
}

export function recordsText(records: readonly RecordToStore[]): string {
  if (records.every(({ written }) => written === undefined)) return JSON.stringify(records);
  return `[${records.map(recordText).join(",")}]`;
}
