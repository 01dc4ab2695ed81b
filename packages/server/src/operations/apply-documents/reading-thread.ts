import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import type { WorkspaceDocument } from "@millrace/contract/documents/document";
import type { FlowTestDocument } from "@millrace/contract/documents/flow-test";
import type { Fault, Problem } from "../../domain/documents/fault.ts";
import type { PlacedDocument, SourceFile } from "../../domain/documents/parse-source.ts";
import { entryFile } from "../../package-files.ts";
import type { ReadDocuments } from "./read-documents.ts";
import type { ThreadMessage, ThreadRequest } from "./source-thread.ts";

/** A node of YAML takes about a kilobyte, so this is for some 60,000 lines of it; JSON takes a twentieth. */
const MAX_HEAP_MB = 128;
const MAX_YOUNG_MB = 16;
/** The others who want to have documents read wait meanwhile. */
const MAX_READ_MS = 10_000;
const WITH_COMPILE_CACHE = `require("node:module").enableCompileCache();`;

type AnyDocument = WorkspaceDocument | FlowTestDocument;

interface Reading extends PromiseWithResolvers<ReadDocuments> {
  readonly documents: PlacedDocument<AnyDocument>[];
  readonly timer: NodeJS.Timeout;
  file: string;
}

/** This side of a thread that reads documents, for one caller after the other. */
export class ReadingThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, { resolve: (fault: Fault) => void; reject: (error: Error) => void }>();
  #reading: Reading | undefined;
  #asked = 0;
  /** It was stopped, or stopped by itself; it reads nothing any more. */
  hasEnded = false;

  constructor() {
    const entry = pathToFileURL(entryFile("source-thread", import.meta.url)).href;
    this.#worker = new Worker(`${WITH_COMPILE_CACHE} import(${JSON.stringify(entry)});`, {
      eval: true,
      name: "documents",
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: MAX_YOUNG_MB },
    });
    this.#worker.on("message", (message: ThreadMessage) => this.#hear(message));
    this.#worker.on("error", (error: NodeJS.ErrnoException) => this.#fail(error));
  }

  read(files: readonly SourceFile[]): Promise<ReadDocuments> {
    this.#worker.ref();
    const timer = setTimeout(() => this.#giveUp("takes too long to read"), MAX_READ_MS);
    this.#reading = {
      ...Promise.withResolvers<ReadDocuments>(),
      documents: [],
      timer,
      file: files[0]?.file ?? "",
    };
    this.#ask({ kind: "read", files });
    return this.#reading.promise;
  }

  /** Forgets what it has read, and keeps no process alive. */
  rest(): void {
    this.#reading = undefined;
    this.#waiting.clear();
    this.#ask({ kind: "forget" });
    this.#worker.unref();
  }

  async end(): Promise<void> {
    this.hasEnded = true;
    await this.#worker.terminate();
  }

  #hear(message: ThreadMessage): void {
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
      case "document": {
        const position = reading.documents.length;
        reading.documents.push({
          document: JSON.parse(message.text) as AnyDocument,
          file: message.file,
          line: message.line,
          fault: (problem) => this.#place(position, problem),
        });
        return;
      }
      case "read":
        clearTimeout(reading.timer);
        reading.resolve({
          documents: reading.documents.filter(
            (one): one is PlacedDocument => one.document.kind !== "FlowTest",
          ),
          tests: reading.documents.filter(
            (one): one is PlacedDocument<FlowTestDocument> => one.document.kind === "FlowTest",
          ),
          faults: message.faults,
        });
    }
  }

  #place(document: number, problem: Problem): Promise<Fault> {
    const request = this.#asked++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(request, { resolve, reject });
      this.#ask({ kind: "place", request, document, problem });
    });
  }

  #ask(request: ThreadRequest): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
    this.#worker.postMessage(request);
  }

  #fail(error: NodeJS.ErrnoException): void {
    this.hasEnded = true;
    for (const { reject } of this.#waiting.values()) reject(error);
    if (error.code === "ERR_WORKER_OUT_OF_MEMORY") this.#giveUp("takes too much memory to read");
    else {
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
