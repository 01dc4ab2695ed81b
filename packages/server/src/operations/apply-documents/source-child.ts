import type { WorkspaceDocument } from "@millrace/contract/documents/document";
import type { FlowTestDocument } from "@millrace/contract/documents/flow-test";
import { startChild } from "../../children/child-side.ts";
import type { Fault, Problem } from "../../domain/documents/fault.ts";
import { parseSource, type PlacedDocument, type SourceFile } from "../../domain/documents/parse-source.ts";

/** What this process is asked: to read files, and where in them something is that was found out later. */
export type SourceRequest =
  | { readonly kind: "read"; readonly files: readonly SourceFile[] }
  | {
      readonly kind: "place";
      readonly request: number;
      readonly document: number;
      readonly problem: Problem;
    }
  | { readonly kind: "forget" };

/** What it says: documents as they are read, then the faults of the others, then answers. */
export type SourceMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "reading"; readonly file: string }
  | {
      readonly kind: "document";
      readonly file: string;
      readonly line: number;
      /** As JSON: the other side reads it in slices. */
      readonly text: string;
    }
  | { readonly kind: "read"; readonly faults: readonly Fault[] }
  | { readonly kind: "placed"; readonly request: number; readonly fault: Fault };

const say = (message: SourceMessage) => process.send?.(message);
let documents: PlacedDocument<WorkspaceDocument | FlowTestDocument>[] = [];

startChild((request: SourceRequest) => {
  switch (request.kind) {
    case "read":
      return read(request.files);
    case "place":
      return place(request);
    case "forget":
      documents = [];
  }
});

function read(files: readonly SourceFile[]): void {
  const faults: Fault[] = [];
  for (const source of files) {
    say({ kind: "reading", file: source.file });
    const parsed = parseSource(source);
    faults.push(...parsed.faults);
    for (const placed of [...parsed.documents, ...parsed.tests]) {
      documents.push(placed);
      say({ kind: "document", file: placed.file, line: placed.line, text: JSON.stringify(placed.document) });
    }
  }
  say({ kind: "read", faults });
}

async function place({
  request,
  document,
  problem,
}: Extract<SourceRequest, { kind: "place" }>): Promise<void> {
  say({ kind: "placed", request, fault: await documents[document]!.fault(problem) });
}
