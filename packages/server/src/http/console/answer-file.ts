import type { Answer } from "../route.ts";
import { type ConsoleFile, encodedFor } from "./console-files.ts";
import { consoleHeaders } from "./policy.ts";

/** What is named by its content, and may be kept for ever. */
export const ASSETS = "assets/";

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A file that was built, under the policy of all our pages. */
export function answerWith(file: ConsoleFile, path: string, headers: Headers): Answer {
  const common = {
    ...consoleHeaders,
    etag: file.etag,
    vary: "accept-encoding",
    "cache-control": path.startsWith(ASSETS) ? "public, max-age=31536000, immutable" : "no-cache",
  };
  if (headers["if-none-match"] === file.etag) return { status: 304, headers: common };
  const { body, encoding } = encodedFor(file, textOf(headers["accept-encoding"]));
  return {
    status: 200,
    body,
    isKept: true,
    headers: {
      ...common,
      "content-type": file.type,
      ...(encoding && { "content-encoding": encoding }),
    },
  };
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(",") : header;
}
