import { Refusal } from "../../domain/refusal.ts";
import { answerWith } from "../console/answer-file.ts";
import type { ConsoleFiles } from "../console/console-files.ts";
import { consoleHeaders } from "../console/policy.ts";
import { type Answer, defineRoute, type Route } from "../route.ts";

/** The documentation below /docs/, beside the API at /docs. It is read when somebody asks for it first. */
export function siteRoutes(readFiles: () => Promise<ConsoleFiles | undefined>): Route[] {
  let files: Promise<ConsoleFiles | undefined> | undefined;
  return [
    defineRoute({
      method: "GET",
      tag: "Console",
      access: "open",
      path: "/docs/{path}",
      wildcard: true,
      name: "documentation",
      summary: "A page of the documentation, or a file it is made of",
      answers: { 200: { description: "The page", type: "text/html" } },
      errors: ["route_not_found"],
      async handle({ params, raw }) {
        files ??= readFiles();
        const found = await files;
        const path = params["*"] || "index.html";
        const file = found?.get(path);
        if (file) return answerWith(file, path, raw.headers);
        if (found || path !== "index.html") throw new Refusal("route_not_found");
        return notBuilt;
      },
    }),
  ];
}

/** A page that was found: it says what to do. Errors are JSON wherever they come from. */
const notBuilt: Answer = {
  status: 200,
  headers: { ...consoleHeaders, "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
  body: Buffer.from(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Millrace</title><link rel="stylesheet" href="/docs/style.css"></head><body><h1>The documentation is not built</h1>
<p>To build it, run this in the checkout and start the service again:</p>
<pre>npm run site</pre><p>Its texts are in <code>docs/</code>. <a href="/docs">The API</a></p></body></html>`),
};
