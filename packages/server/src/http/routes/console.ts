import { Refusal } from "../../domain/refusal.ts";
import { answerWith, ASSETS, type Headers } from "../console/answer-file.ts";
import type { ConsoleFiles } from "../console/console-files.ts";
import { consoleHeaders } from "../console/policy.ts";
import { type Answer, defineRoute, type Route } from "../route.ts";

const common = { method: "GET", tag: "Console", access: "open" } as const;
const page = { 200: { description: "The page", type: "text/html" } };

/** The console: one shell for every address, and the files it is made of. Without files a page that says so. */
export function consoleRoutes(files: ConsoleFiles | undefined): Route[] {
  return [
    defineRoute({
      ...common,
      path: "/console",
      name: "console",
      summary: "The web console",
      answers: page,
      errors: [],
      handle: ({ raw }) => shell(files, raw.headers),
    }),
    defineRoute({
      ...common,
      path: "/console/{path}",
      wildcard: true,
      name: "consolePage",
      summary: "A page of the web console, or a file it is made of",
      answers: page,
      errors: ["route_not_found"],
      handle({ params, raw }) {
        const path = params["*"]!;
        const file = files?.get(path);
        if (file && path !== "index.html") return answerWith(file, path, raw.headers);
        // A page of a release that is gone asks for a file that is gone: the shell would be no script.
        if (path.startsWith(ASSETS)) throw new Refusal("route_not_found");
        return shell(files, raw.headers);
      },
    }),
  ];
}

function shell(files: ConsoleFiles | undefined, headers: Headers): Answer {
  const file = files?.get("index.html");
  return file ? answerWith(file, "index.html", headers) : notBuilt;
}

const notBuilt: Answer = {
  status: 503,
  headers: { ...consoleHeaders, "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
  body: Buffer.from(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Millrace</title><link rel="stylesheet" href="/docs/style.css"></head><body><h1>The console is not built</h1>
<p>The API works without it. To build the console, run this in the checkout and start the service again:</p>
<pre>npm ci &amp;&amp; npm run console</pre><p>To serve none, set <code>MILLRACE_CONSOLE=off</code>. <a href="/docs">The API</a></p></body></html>`),
};
