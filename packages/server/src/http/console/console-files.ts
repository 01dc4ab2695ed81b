import { readdir, readFile } from "node:fs/promises";
import { createHash } from "node:crypto";
import { extname, join } from "node:path";

type Encoding = "br" | "gzip";

/** One file of the console, as it is and as it was compressed when it was built. */
export interface ConsoleFile {
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly compressed: Readonly<Partial<Record<Encoding, Buffer>>>;
}

export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

const ENDINGS: Readonly<Record<Encoding, string>> = { br: ".br", gzip: ".gz" };
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".png": "image/png",
};

/** Everything in the directory by its path there; nothing where it does not exist or holds no shell. */
export async function readConsoleFiles(directory: string): Promise<ConsoleFiles | undefined> {
  const found = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
  const bytes = new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(directory, path))] as const)),
  );
  const files = new Map<string, ConsoleFile>();
  for (const [path, plain] of bytes) {
    const type = TYPES[extname(path)];
    if (!type) continue;
    const compressed: Partial<Record<Encoding, Buffer>> = {};
    for (const encoding of ["br", "gzip"] as const) {
      const found = bytes.get(path + ENDINGS[encoding]);
      if (found) compressed[encoding] = found;
    }
    files.set(path.replaceAll("\\", "/"), { type, etag: etagOf(plain), plain, compressed });
  }
  return files.has("index.html") ? files : undefined;
}

/** The smallest form that the caller takes, with the name of its encoding. */
export function encodedFor(
  file: ConsoleFile,
  accepted: string | undefined,
): { readonly body: Buffer; readonly encoding?: Encoding } {
  const taken = acceptedEncodings(accepted);
  for (const encoding of ["br", "gzip"] as const) {
    const body = file.compressed[encoding];
    if (body && (taken.get(encoding) ?? taken.get("*") ?? 0) > 0) return { body, encoding };
  }
  return { body: file.plain };
}

function acceptedEncodings(header = ""): Map<string, number> {
  return new Map(
    header.split(",").map((entry) => {
      const [name = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith("q="));
      return [name, quality === undefined ? 1 : Number(quality.slice(2)) || 0];
    }),
  );
}

function etagOf(bytes: Buffer): string {
  return `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
}
