import { createReadStream, createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { Command } from "commander";
import { backupLines } from "../storage/backup/backup-lines.ts";
import { restoreLines } from "../storage/backup/restore-lines.ts";
import { addCommand, type CliDependencies } from "./cli.ts";

export function registerBackup(program: Command, dependencies: CliDependencies): void {
  addCommand(
    program,
    "backup <file>",
    "write everything that is stored into a file, as it is at one moment, while the service goes on",
    "backup millrace.backup.gz",
  ).action((file: string, flags: { json?: boolean }) => backup(dependencies, file, flags));
  addCommand(
    program,
    "restore <file>",
    "put a backup into an empty database",
    "restore millrace.backup.gz",
  ).action((file: string, flags: { json?: boolean }) => restore(dependencies, file, flags));
}

interface Flags {
  readonly json?: boolean;
}

async function backup(
  { withDatabase, stdout }: CliDependencies,
  file: string,
  { json }: Flags,
): Promise<void> {
  // The name it is asked for appears only when it is whole. Others must not read it: it holds all values.
  const partial = `${file}.partial`;
  let lines = 0;
  await withDatabase("backup", async ({ pool }) => {
    const text = async function* () {
      for await (const line of backupLines(pool)) {
        lines += 1;
        yield `${line}\n`;
      }
    };
    try {
      await pipeline(Readable.from(text()), createGzip(), createWriteStream(partial, { mode: 0o600 }));
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  });
  await rename(partial, file);
  stdout(
    json
      ? JSON.stringify({ file, lines })
      : `${file} is written. Keep the secret key beside it: without it stored secrets cannot be read.`,
  );
}

async function restore(
  { withDatabase, stdout }: CliDependencies,
  file: string,
  { json }: Flags,
): Promise<void> {
  const rows = await withDatabase("restore", ({ pool }) => restoreLines(pool, linesOf(file)));
  stdout(
    json
      ? JSON.stringify({ file, rows })
      : `${rows} rows are restored. Start the service with the same secret key.`,
  );
}

/** Read as they are asked for; `readline` would begin before anybody listens. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const packed = createReadStream(file);
  const texts = createGunzip().setEncoding("utf8");
  const read = pipeline(packed, texts);
  // Whoever iterates hears of it.
  read.catch(() => {});
  let rest = "";
  for await (const text of texts as AsyncIterable<string>) {
    // A row may be many times as long as what is read at once.
    if (!text.includes("\n")) {
      rest += text;
      continue;
    }
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== "") yield rest;
}
