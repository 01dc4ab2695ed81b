import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import type { WorkspaceDocument } from "@millrace/contract/documents/document";
import type { Fault, Problem } from "../../domain/documents/fault.ts";
import type { PlacedDocument, SourceFile } from "../../domain/documents/parse-source.ts";
import { FairShare } from "../../domain/fair-share.ts";
import { Refusal } from "../../domain/refusal.ts";
import { entryFile } from "../../package-files.ts";
import type { ReadDocuments } from "./read-documents.ts";
import type { PlaceRequest, ThreadMessage } from "./source-thread.ts";

const MAX_THREADS = 4;
const MAX_HEAP_MB = 512;
const MAX_READ_MS = 20_000;

const threads = new FairShare(MAX_THREADS);

/**
 * Reads documents in a thread of its own: YAML cannot be read in slices, and nobody else's request waits for it. The
 * thread goes on for as long as `work` does, to say where in the files things are.
 */
export async function withSources<Result>(
  caller: string,
  files: readonly SourceFile[],
  work: (read: ReadDocuments) => Promise<Result>,
): Promise<Result> {
  if (!threads.take(caller)) throw new Refusal("service_unavailable", { retryAfterSeconds: 1 });
  const thread = new SourceThread(files);
  try {
    return await work(await thread.read());
  } finally {
    threads.giveBack(caller);
    await thread.end();
  }
}

class SourceThread {
  readonly #worker: Worker;
  readonly #documents: PlacedDocument[] = [];
  readonly #waiting = new Map<number, { resolve: (fault: Fault) => void; reject: (error: Error) => void }>();
  readonly #read: Promise<ReadDocuments>;
  #file: string;
  #asked = 0;

  constructor(files: readonly SourceFile[]) {
    this.#file = files[0]?.file ?? "";
    const entry = pathToFileURL(entryFile("source-thread", import.meta.url)).href;
    this.#worker = new Worker(`import(${JSON.stringify(entry)});`, {
      eval: true,
      name: "documents",
      workerData: files,
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    this.#read = new Promise((resolve, reject) => {
      const timer = setTimeout(() => resolve(this.#giveUp("takes too long to read")), MAX_READ_MS);
      this.#worker.on("message", (message: ThreadMessage) => {
        if (message.kind === "read") clearTimeout(timer);
        this.#hear(message, resolve);
      });
      this.#worker.on("error", (error: NodeJS.ErrnoException) => {
        clearTimeout(timer);
        for (const { reject: fail } of this.#waiting.values()) fail(error);
        if (error.code === "ERR_WORKER_OUT_OF_MEMORY") resolve(this.#giveUp("takes too much memory to read"));
        else reject(error);
      });
    });
  }

  read(): Promise<ReadDocuments> {
    return this.#read;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #hear(message: ThreadMessage, resolve: (read: ReadDocuments) => void): void {
    switch (message.kind) {
      case "reading":
        this.#file = message.file;
        return;
      case "document": {
        const position = this.#documents.length;
        this.#documents.push({
          document: JSON.parse(message.text) as WorkspaceDocument,
          file: message.file,
          line: message.line,
          fault: (problem) => this.#place(position, problem),
        });
        return;
      }
      case "read":
        resolve({ documents: this.#documents, faults: message.faults });
        return;
      case "placed":
        this.#waiting.get(message.request)?.resolve(message.fault);
        this.#waiting.delete(message.request);
    }
  }

  #place(document: number, problem: Problem): Promise<Fault> {
    const request = this.#asked++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(request, { resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
      this.#worker.postMessage({ request, document, problem } satisfies PlaceRequest);
    });
  }

  #giveUp(why: string): ReadDocuments {
    const fault = { file: this.#file, line: 1, column: 1, path: "", message: `${why}; split it` };
    return { documents: [], faults: [fault] };
  }
}
