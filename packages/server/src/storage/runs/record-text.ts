import { JsonText } from "../../domain/json-text.ts";

/** A record of a node as it is stored; a large one brings what was written of it. */
export interface RecordToStore {
  readonly nodeKey: string;
  readonly written?: JsonText;
}

/**
 * Behind an INSERT into run_nodes. What is known of a node that has not ended well gives way to what is known later; what
 * ended stays, whoever writes once more. Its beginning is read as text: the values behind it may be large, or odd.
 */
export const UPDATE_OPEN_RECORD = `ON CONFLICT (organization_id, run_id, node_key) DO UPDATE
     SET record = EXCLUDED.record, epoch = EXCLUDED.epoch
   WHERE substring(left(run_nodes.record::text, 1000) FROM '"status":"([A-Z_]+)"') <> 'COMPLETED'`;

export function recordText(record: RecordToStore): string | JsonText {
  return record.written ?? JSON.stringify(record);
}

export function recordsText(records: readonly RecordToStore[]): string | JsonText {
  if (records.every(({ written }) => written === undefined)) return JSON.stringify(records);
  return JsonText.list(
    records.map((record) => record.written ?? new JsonText([Buffer.from(JSON.stringify(record))])),
  );
}
