import { createRequire } from "node:module";
import { dirname } from "node:path";
import type { WorkspaceDocument } from "@millrace/contract/documents/document";
import type { FlowTestDocument } from "@millrace/contract/documents/flow-test";
import {
  type ChildDeath,
  ConfinedProcess,
  type ConfinedProgram,
  isOutOfMemory,
  packageDirectory,
} from "../../children/confined-process.ts";
import type { Fault, Problem } from "../../domain/documents/fault.ts";
import type { PlacedDocument, SourceFile } from "../../domain/documents/parse-source.ts";
import { readJson } from "../../domain/read-json.ts";
import { driveSliced } from "../../domain/sliced.ts";
import { eventLoop } from "../../lifecycle/event-loop.ts";
import { entryFile, sourceDirectory } from "../../package-files.ts";
import type { ReadDocuments } from "./read-documents.ts";
import type { SourceMessage, SourceRequest } from "./source-child.ts";

/** The others who want to have documents read wait meanwhile. */
const MAX_READ_MS = 10_000;

type AnyDocument = WorkspaceDocument | FlowTestDocument;

interface Reading extends PromiseWithResolvers<ReadDocuments> {
  readonly caller: string;
  readonly documents: Promise<PlacedDocument<AnyDocument>>[];
  readonly timer: NodeJS.Timeout;
  file: string;
}

/** This side of a process that reads documents, for one caller after the other. */
export class ReadingProcess {
  readonly #process = new ConfinedProcess<SourceRequest, SourceMessage>(program(), (message) =>
    this.#hear(message),
  );
  readonly #waiting = new Map<number, { resolve: (fault: Fault) => void; reject: (error: Error) => void }>();
  #reading: Reading | undefined;
  #asked = 0;
  /** It was stopped, or stopped by itself; it reads nothing any more. */
  hasEnded = false;

  constructor() {
    void this.#process.died.then((death) => this.#fail(death));
  }

  read(caller: string, files: readonly SourceFile[]): Promise<ReadDocuments> {
    const timer = setTimeout(() => this.#giveUp("takes too long to read"), MAX_READ_MS);
    this.#reading = {
      ...Promise.withResolvers<ReadDocuments>(),
      caller,
      documents: [],
      timer,
      file: files[0]?.file ?? "",
    };
    this.#process.send({ kind: "read", files });
    return this.#reading.promise;
  }

  /** Forgets what it has read. */
  rest(): void {
    this.#reading = undefined;
    this.#waiting.clear();
    this.#process.send({ kind: "forget" });
  }

  end(): void {
    this.hasEnded = true;
    this.#process.kill();
  }

  #hear(message: SourceMessage): void {
    if (message.kind === "placed") {
      this.#waiting.get(message.request)?.resolve(message.fault);
      this.#waiting.delete(message.request);
      return;
    }
    const reading = this.#reading;
    if (reading === undefined) return;
    switch (message.kind) {
      case "reading":
        reading.file = message.file;
        return;
      case "document":
        reading.documents.push(this.#take(reading.documents.length, reading.caller, message));
        return;
      case "read":
        clearTimeout(reading.timer);
        Promise.all(reading.documents).then(
          (documents) => reading.resolve(sorted(documents, message.faults)),
          reading.reject,
        );
    }
  }

  async #take(
    position: number,
    caller: string,
    { text, file, line }: Extract<SourceMessage, { kind: "document" }>,
  ): Promise<PlacedDocument<AnyDocument>> {
    const document = await driveSliced(readJson(text), () => eventLoop.giveWay(caller));
    return {
      document: document as AnyDocument,
      file,
      line,
      fault: (problem) => this.#place(position, problem),
    };
  }

  #place(document: number, problem: Problem): Promise<Fault> {
    const request = this.#asked++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(request, { resolve, reject });
      this.#process.send({ kind: "place", request, document, problem });
    });
  }

  #fail(death: ChildDeath): void {
    const error = new Error("The process that reads documents has ended");
    for (const { reject } of this.#waiting.values()) reject(error);
    if (this.hasEnded) return;
    if (isOutOfMemory(death)) this.#giveUp("takes too much memory to read");
    else {
      this.hasEnded = true;
      clearTimeout(this.#reading?.timer);
      this.#reading?.reject(error);
    }
  }

  #giveUp(why: string): void {
    this.hasEnded = true;
    const { timer, file = "", resolve } = this.#reading ?? {};
    clearTimeout(timer);
    resolve?.({
      documents: [],
      tests: [],
      faults: [{ file, line: 1, column: 1, path: "", message: `${why}; split it` }],
    });
  }
}

function sorted(documents: readonly PlacedDocument<AnyDocument>[], faults: readonly Fault[]): ReadDocuments {
  return {
    documents: documents.filter((one): one is PlacedDocument => one.document.kind !== "FlowTest"),
    tests: documents.filter(
      (one): one is PlacedDocument<FlowTestDocument> => one.document.kind === "FlowTest",
    ),
    faults,
  };
}

function program(): ConfinedProgram {
  const require = createRequire(import.meta.url);
  return {
    entryFile: entryFile("source-child", import.meta.url),
    // The rules for documents are all over the contract and the domain, with what they import.
    readable: [
      sourceDirectory,
      dirname(dirname(require.resolve("@millrace/contract/documents/document"))),
      dirname(packageDirectory(require.resolve("yaml"), "yaml")),
      dirname(packageDirectory(require.resolve("zod"), "zod")),
    ],
    // A node of YAML takes about a kilobyte, so this is for some 100,000 lines; JSON takes a twentieth.
    flags: ["--max-old-space-size=192", "--max-semi-space-size=8"],
    limits: { maxRssBytes: 384 * 1024 * 1024 },
  };
}
