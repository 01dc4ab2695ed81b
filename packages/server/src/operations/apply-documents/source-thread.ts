import { parentPort, workerData } from "node:worker_threads";
import type { Fault, Problem } from "../../domain/documents/fault.ts";
import { parseSource, type PlacedDocument, type SourceFile } from "../../domain/documents/parse-source.ts";

/** What this thread says: documents as they are read, then the faults of the others, then answers. */
export type ThreadMessage =
  | { readonly kind: "reading"; readonly file: string }
  | {
      readonly kind: "document";
      readonly file: string;
      readonly line: number;
      /** As JSON: read by the other side in one go, faster than a copy of objects. */
      readonly text: string;
    }
  | { readonly kind: "read"; readonly faults: readonly Fault[] }
  | { readonly kind: "placed"; readonly request: number; readonly fault: Fault };

/** Where in its file something is that was found out later. */
export interface PlaceRequest {
  readonly request: number;
  readonly document: number;
  readonly problem: Problem;
}

const port = parentPort!;
const say = (message: ThreadMessage) => port.postMessage(message);
const documents: PlacedDocument[] = [];
const faults: Fault[] = [];

for (const source of workerData as readonly SourceFile[]) {
  say({ kind: "reading", file: source.file });
  const read = parseSource(source);
  faults.push(...read.faults);
  for (const placed of read.documents) {
    documents.push(placed);
    say({ kind: "document", file: placed.file, line: placed.line, text: JSON.stringify(placed.document) });
  }
}
say({ kind: "read", faults });

port.on("message", ({ request, document, problem }: PlaceRequest) => {
  void Promise.resolve(documents[document]!.fault(problem)).then((fault) =>
    say({ kind: "placed", request, fault }),
  );
});
