import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

export interface FoundFile {
  readonly file: string;
  readonly bytes: number;
}

export const DOCUMENT_FILE = /\.(yaml|yml|json)$/i;
const MAX_FILES = 10_000;
/** What other tools keep in the same folder, by names that are theirs. */
const OF_OTHERS =
  /^(?:node_modules|package\.json|package-lock\.json|npm-shrinkwrap\.json|[jt]sconfig(?:\..+)?\.json|pnpm-(?:lock|workspace)\.yaml|(?:docker-)?compose(?:\..+)?\.ya?ml)$/;

/**
 * The files a path stands for: itself, or every document file below a directory. Hidden entries and those of other tools
 * are passed over; links to files are followed, links to directories are not.
 */
export async function findFiles(path: string): Promise<FoundFile[]> {
  const start = await stat(path);
  if (!start.isDirectory()) return [{ file: path, bytes: start.size }];
  const found: FoundFile[] = [];
  const waiting = [path];
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    const entries = await readdir(directory, { withFileTypes: true });
    for (const entry of entries.filter(isWanted)) {
      const file = join(directory, entry.name);
      if (entry.isDirectory()) waiting.push(file);
      else if (DOCUMENT_FILE.test(entry.name)) {
        const target = await stat(file);
        if (target.isFile()) found.push({ file, bytes: target.size });
      }
      if (found.length > MAX_FILES) throw new Error(`There are more than ${MAX_FILES} files below ${path}.`);
    }
  }
  return found.sort((a, b) => (a.file < b.file ? -1 : 1));
}

function isWanted(entry: Dirent): boolean {
  return !entry.name.startsWith(".") && !OF_OTHERS.test(entry.name);
}
